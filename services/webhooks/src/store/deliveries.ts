import type { Mode, ReceiverScenario } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import type { AttemptResult } from "../domain/job.ts";
import { eventAt, eventKeyOf } from "./lookups.ts";
import { secretsOf } from "./webhook-endpoints.ts";

/** A due delivery that this process has claimed until the lease ends, with the values that an attempt needs. */
export type DueDelivery = {
  number: bigint;
  merchant_id: string;
  mode: Mode;
  sequence: bigint;
  attempt: number;
  /** Attempts of earlier rounds of the schedule. */
  attempts_before: number;
  kind: string;
  body: Buffer;
  secret: string;
  staged_secret: string | null;
  url: string;
  /** In test mode: what a scenario has the merchant's server do with the first attempts. */
  simulated: ReceiverScenario[] | null;
  /** The endpoint's current URL: it may have changed, or been removed, since the delivery was created. */
  current_url: string | null;
};

/** How many more deliveries of a merchant and mode this process can accept. */
export type QueueCapacity = { merchantId: string; mode: Mode; free: number };

const CLAIMED =
  "d.number, d.merchant_id, d.mode, d.sequence, d.attempts + 1 as attempt, d.attempts_before, d.url, d.simulated, d.claimed";
/** A `DueDelivery` of the claimed row `c`, with its event and its endpoint. */
const DUE = `c.number, c.merchant_id, c.mode, c.sequence, c.attempt, c.attempts_before, c.url, c.simulated,
  e.kind, e.body, p.secret, p.staged_secret, p.url as current_url`;
const DUE_FROM = `lateral ${eventAt(eventKeyOf("c"))} e,
    lateral (select ${secretsOf("x")}, x.url from endpoints x where (x.merchant_id, x.mode) = (c.merchant_id, c.mode) limit 1) p`;
export const CLAIMING = { CLAIMED, DUE, DUE_FROM };

/** Merchants served by one claim; those with the oldest due delivery come first, so no merchant starves. */
const SCOPES_MAX = 32;

/** Deliveries of a held endpoint that one claim parks. */
const PARKED_MAX = 500;
const isHeld = (row: string) =>
  `exists (select from holds h where (h.merchant_id, h.mode) = (${row}.merchant_id, ${row}.mode))`;

/**
 * Claims due deliveries of one mode, a share for each merchant: `scopes` is a loose index scan from one merchant to the next
 * (a merchant's first row is its oldest due), so 100,000 waiting deliveries of one merchant cost no more than one of another.
 * `queues` are the merchants that this process is already sending to, with their free capacity; $4 is that of all others.
 * The `limit 1`s, here and in the lookups, force one lookup by key each: a plain join was seen to read all events of a
 * merchant. The array does the same for the picked numbers.
 * A merchant whose deliveries are all held is a step of that scan, too: 3 µs, so 3 ms of a claim while 1,000 endpoints are held. An
 * index without held deliveries would spare that, and cost every new delivery 1.4 µs until this one could go: tried, and left out.
 * Due deliveries of a held endpoint (retries, replays, and those of a crashed process) are parked: they wait without a time, and
 * go out in their order (hold-batches.ts).
 */
const claim = statement<DueDelivery>(`
  with recursive queues as (select * from unnest($1::text[], $2::text[], $3::integer[]) as q (merchant_id, mode, free)),
  scopes as (
    (select merchant_id, mode, next_attempt_at from deliveries
      where status = 'pending' order by merchant_id, mode, next_attempt_at limit 1)
    union all
    select following.* from scopes, lateral (
      select d.merchant_id, d.mode, d.next_attempt_at from deliveries d
      where d.status = 'pending' and (d.merchant_id, d.mode) > (scopes.merchant_id, scopes.mode)
      order by d.merchant_id, d.mode, d.next_attempt_at limit 1) following
  ),
  due as (
    select s.merchant_id, s.mode, case when ${isHeld("s")} then ${PARKED_MAX} else coalesce(q.free, $4) end as free
    from scopes s left join queues q using (merchant_id, mode)
    where s.mode = $6 and s.next_attempt_at <= now() and (coalesce(q.free, $4) > 0 or ${isHeld("s")})
    order by s.next_attempt_at limit ${SCOPES_MAX}
  ),
  picked as (
    select mine.number from due, lateral (
      select d.number from deliveries d
      where d.status = 'pending' and d.merchant_id = due.merchant_id and d.mode = due.mode and d.next_attempt_at <= now()
      order by d.next_attempt_at limit due.free for update skip locked) mine
  ),
  claimed as (
    update deliveries d set claimed = not ${isHeld("d")},
      next_attempt_at = case when not ${isHeld("d")} then clock_timestamp() + $5 * interval '1 millisecond' end
    where d.number = any(array(select number from picked))
    returning ${CLAIMED}
  )
  select ${DUE} from claimed c, ${DUE_FROM} where c.claimed order by c.number`);

export function claimDue(
  pool: Pool,
  { mode, queues, otherFree, leaseMs }: { mode: Mode; queues: QueueCapacity[]; otherFree: number; leaseMs: number },
): Promise<DueDelivery[]> {
  return claim(pool, [...columns(queues, "merchantId", "mode", "free"), otherFree, leaseMs, mode]);
}

/**
 * Selects the pending ones among deliveries looked up by number, in a form that matches no index: with the partial index on
 * pending deliveries, planned while it was empty, 512 results took 5 s among 8,000 claimed deliveries.
 */
export const PENDING = "case d.status when 'pending' then true else false end";
const CURRENT_URL = "(select p.url from endpoints p where (p.merchant_id, p.mode) = (d.merchant_id, d.mode))";

/**
 * The endpoint's URL has changed: unacknowledged events move there, each as a delivery of its own (one number for one event to
 * one URL), due immediately. When the endpoint returns to an earlier URL, that URL's delivery is resumed; if it was already
 * finished, this is a replay that moves, and a new round begins. Without a URL the delivery is only superseded. An event that
 * was pending at several URLs moves once. If the URL is the delivery's own again, it stays claimed and is sent after its lease.
 */
const move = statement(`
  with ended as (
    update deliveries d set status = 'superseded', claimed = false, next_attempt_at = null
    where d.number = any($1::bigint[]) and ${PENDING} and d.url is distinct from ${CURRENT_URL}
    returning d.merchant_id, d.mode, d.sequence, d.kind, ${CURRENT_URL} as url
  )
  insert into deliveries as d (merchant_id, mode, sequence, url, kind, next_attempt_at)
  select distinct on (merchant_id, mode, sequence) merchant_id, mode, sequence, url, kind, now() from ended where url is not null
  order by merchant_id, mode, sequence, kind desc
  on conflict (merchant_id, mode, sequence, url) do update set status = 'pending', claimed = false, next_attempt_at = now(),
    attempts_before = case d.status when 'superseded' then d.attempts_before else d.attempts end
    where d.status <> 'pending'`);

export async function moveToCurrentUrl(pool: Pool, numbers: bigint[]): Promise<void> {
  await move(pool, [numbers]);
}

/** Releases claimed deliveries without an attempt: any replica with free capacity claims them. */
const release = statement(`
  update deliveries d set claimed = false, next_attempt_at = now() where d.number = any($1::bigint[]) and ${PENDING}`);

export async function releaseDeliveries(pool: Pool, numbers: bigint[]): Promise<void> {
  await release(pool, [numbers]);
}

/**
 * Stores attempts and updates their deliveries. A result stored after its lease, when another process has repeated the
 * attempt, counts only if it is an acknowledgment, and not for a replay that has started since. It commits asynchronously
 * (synchronous_commit = off): a lost result means sending once more, which merchants are told to expect. What fails at an
 * endpoint that is held or paused gets no time: it is held, too.
 */
const store = statement(`
  with async_commit as (select set_config('synchronous_commit', 'off', true)),
  results as (
    select * from async_commit, unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::bigint[])
      as r (number, attempt, started_at, duration_ms, status, error, response, outcome, retry_in_ms)
  ),
  logged as (
    insert into attempts (delivery_number, attempt, started_at, duration_ms, status, error, response)
    select number, attempt, started_at, duration_ms, status, error, response from results
    on conflict (delivery_number, attempt) do nothing
  )
  update deliveries d set
    status = r.outcome,
    attempts = greatest(d.attempts, r.attempt),
    last_status = r.status,
    claimed = false,
    next_attempt_at = case when r.outcome <> 'pending' or not exists (
        select from holds h where (h.merchant_id, h.mode) = (d.merchant_id, d.mode) and h.state <> 'releasing')
      then time_of(d.merchant_id, d.mode) + r.retry_in_ms * interval '1 millisecond' end
  from results r
  where d.number = r.number and ${PENDING} and (d.attempts < r.attempt or (r.outcome = 'delivered' and d.attempts_before < r.attempt))`);

export async function storeResults(pool: Pool, results: AttemptResult[]): Promise<void> {
  const ordered = results.toSorted((a, b) => (a.number < b.number ? -1 : 1));
  await store(pool, columns(ordered, ...RESULT_FIELDS));
}

const RESULT_FIELDS = [
  "number",
  "attempt",
  "startedAt",
  "durationMs",
  "status",
  "error",
  "response",
  "outcome",
  "retryInMs",
] as const;

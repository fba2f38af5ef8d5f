import type { Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import { eventAt, placeOf } from "./look-ups.ts";
import { secretsOf } from "./webhook-endpoints.ts";

/** A delivery that is due and now ours until the lease ends, with what an attempt needs. */
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
  /** Where the endpoint is now; another URL, or none, since the delivery was made. */
  current_url: string | null;
};

/** How many more deliveries of a merchant and mode this process can take. */
export type Room = { merchantId: string; mode: Mode; room: number };

/** Merchants served by one claim; the longest waiting come first, so nobody is passed over. */
const SCOPES_MAX = 32;

/**
 * Takes what is due in one mode, a share for each merchant: `scopes` leaps through the index from one merchant to the next
 * (its first row is its longest due), so 100,000 waiting deliveries of one cost no more than one of another.
 * `lanes` are those in which this process is already busy, with the room that is left; $4 is the room of all others.
 * The limits of 1, here and in the look-ups, hold the planner to one look-up by key for each, where a join was seen to read
 * all events of a merchant; so does the array, where a join with what is picked was.
 */
const claim = statement<DueDelivery>(`
  with recursive lanes as (select * from unnest($1::text[], $2::text[], $3::integer[]) as l (merchant_id, mode, room)),
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
    select s.merchant_id, s.mode, coalesce(l.room, $4) as room from scopes s left join lanes l using (merchant_id, mode)
    where s.mode = $6 and s.next_attempt_at <= now() and coalesce(l.room, $4) > 0
    order by s.next_attempt_at limit ${SCOPES_MAX}
  ),
  picked as (
    select mine.number from due, lateral (
      select d.number from deliveries d
      where d.status = 'pending' and d.merchant_id = due.merchant_id and d.mode = due.mode and d.next_attempt_at <= now()
      order by d.next_attempt_at limit due.room for update skip locked) mine
  ),
  claimed as (
    update deliveries d set claimed = true, next_attempt_at = clock_timestamp() + $5 * interval '1 millisecond'
    where d.number = any(array(select number from picked))
    returning d.number, d.merchant_id, d.mode, d.sequence, d.attempts + 1 as attempt, d.attempts_before, d.url
  )
  select c.*, e.kind, e.body, p.secret, p.staged_secret, p.url as current_url
  from claimed c,
    lateral ${eventAt(placeOf("c"))} e,
    lateral (select ${secretsOf("x")}, x.url from endpoints x where (x.merchant_id, x.mode) = (c.merchant_id, c.mode) limit 1) p
  order by c.number`);

export function claimDue(
  pool: Pool,
  { mode, lanes, otherRoom, leaseMs }: { mode: Mode; lanes: Room[]; otherRoom: number; leaseMs: number },
): Promise<DueDelivery[]> {
  return claim(pool, [...columns(lanes, "merchantId", "mode", "room"), otherRoom, leaseMs, mode]);
}

/**
 * Of deliveries that are named by their numbers those that are pending, in words that no index knows: by the index of what is
 * pending, counted when that was nothing, 512 results took 5 s among 8,000 deliveries under way.
 */
const PENDING = "case d.status when 'pending' then true else false end";
const PRESENT_URL = "(select p.url from endpoints p where (p.merchant_id, p.mode) = (d.merchant_id, d.mode))";

/**
 * The endpoint has another URL: what was not acknowledged goes there, as a delivery of its own (one number for one event to
 * one URL), due at once. Back at an earlier URL it takes up that delivery again; where that had come to its end, this is a
 * replay that moves, and a new round begins. Without a URL it only ends. An event that waited at several URLs moves once. Where
 * the URL is the delivery's own again by now, it stays claimed, and is sent after its lease.
 */
const move = statement(`
  with ended as (
    update deliveries d set status = 'superseded', claimed = false, next_attempt_at = null
    where d.number = any($1::bigint[]) and ${PENDING} and d.url is distinct from ${PRESENT_URL}
    returning d.merchant_id, d.mode, d.sequence, d.kind, ${PRESENT_URL} as url
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

/** Gives claimed deliveries back, untried: whoever has room takes them. */
const release = statement(`
  update deliveries d set claimed = false, next_attempt_at = now() where d.number = any($1::bigint[]) and ${PENDING}`);

export async function releaseDeliveries(pool: Pool, numbers: bigint[]): Promise<void> {
  await release(pool, [numbers]);
}

/** One attempt and what follows from it: `retryInMs` is null when there is no further one. */
export type AttemptResult = {
  number: bigint;
  attempt: number;
  startedAt: string;
  durationMs: number;
  status: number | null;
  error: string | null;
  response: string | null;
  outcome: "delivered" | "pending" | "exhausted";
  retryInMs: number | null;
};

/**
 * Stores attempts and moves their deliveries on. A result that comes after its lease, when the attempt was made again by
 * somebody else, counts only if it acknowledges, and not for a replay that was begun since. It commits without waiting for the disk: losing it means sending once more,
 * which merchants are told to expect.
 */
const store = statement(`
  with lazily as (select set_config('synchronous_commit', 'off', true)),
  results as (
    select * from lazily, unnest($1::bigint[], $2::integer[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::bigint[])
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
    next_attempt_at = clock_timestamp() + r.retry_in_ms * interval '1 millisecond'
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

import type { Mode, ReceiverScenario } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
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

/** Due deliveries that one look reads. */
const LOOKED_AT = 500;

/**
 * The merchants of the oldest due deliveries of a mode, without those that are claimed: so a new delivery, which is created claimed, is
 * no row of this index. Every 5 ms while there is work: it reads what is due, whatever waits for later (20,000 merchants that wait
 * for a retry cost a walk over them 60 ms each time). An `order by` that only one index has forces it, as in lookups.ts.
 */
const due = statement<{ merchant_id: string }>(`
  select merchant_id from (
    select merchant_id, next_attempt_at from deliveries
    where mode = $1 and status = 'pending' and not claimed and next_attempt_at <= now()
    order by next_attempt_at limit ${LOOKED_AT}) oldest
  group by merchant_id order by min(next_attempt_at)`);
export const merchantsWithDue = (pool: Pool, mode: Mode) => due(pool, [mode]);

/** Merchants that one walk returns. */
const WALKED_MAX = 5_000;

/**
 * All merchants with a due delivery: behind a backlog of others, too, and where a claim has outlived its lease because its process crashed. A
 * loose index scan from one merchant to the next (a merchant's first row is its oldest due), 3 µs for each that waits for
 * anything: so 100,000 waiting deliveries of one merchant cost no more than one of another, but it is run at intervals.
 */
const walk = statement<{ merchant_id: string }>(`
  with recursive scopes as (
    (select merchant_id, mode, next_attempt_at from deliveries
      where status = 'pending' order by merchant_id, mode, next_attempt_at limit 1)
    union all
    select following.* from scopes, lateral (
      select d.merchant_id, d.mode, d.next_attempt_at from deliveries d
      where d.status = 'pending' and (d.merchant_id, d.mode) > (scopes.merchant_id, scopes.mode)
      order by d.merchant_id, d.mode, d.next_attempt_at limit 1) following
  )
  select merchant_id from scopes where mode = $1 and next_attempt_at <= now() order by next_attempt_at limit ${WALKED_MAX}`);
export const walkToDue = (pool: Pool, mode: Mode) => walk(pool, [mode]);

const CLAIMED =
  "d.number, d.merchant_id, d.mode, d.sequence, d.attempts + 1 as attempt, d.attempts_before, d.url, d.simulated, d.claimed";
/** A `DueDelivery` of the claimed row `c`, with its event and its endpoint. */
const DUE = `c.number, c.merchant_id, c.mode, c.sequence, c.attempt, c.attempts_before, c.url, c.simulated,
  e.kind, e.body, p.secret, p.staged_secret, p.url as current_url`;
const DUE_FROM = `lateral ${eventAt(eventKeyOf("c"))} e,
    lateral (select ${secretsOf("x")}, x.url from endpoints x where (x.merchant_id, x.mode) = (c.merchant_id, c.mode) limit 1) p`;
export const CLAIMING = { CLAIMED, DUE, DUE_FROM };

/** Deliveries of a held endpoint that one claim parks. */
const PARKED_MAX = 500;
const isHeld = (row: string) =>
  `exists (select from holds h where (h.merchant_id, h.mode) = (${row}.merchant_id, ${row}.mode))`;

/**
 * Claims due deliveries of each of the merchants, the oldest, as many as its queue has capacity for.
 * The `limit 1`s, here and in the lookups, force one lookup by key each: a plain join was seen to read all events of a
 * merchant. The array does the same for the picked numbers.
 * Due deliveries of a held endpoint (retries, replays, and those of a crashed process) are parked: they wait without a time, and
 * go out in their order (hold-batches.ts).
 */
const claim = statement<DueDelivery>(`
  with queues as (select * from unnest($1::text[], $2::text[], $3::integer[]) as q (merchant_id, mode, free)),
  picked as (
    select mine.number from queues q, lateral (
      select d.number from deliveries d
      where d.status = 'pending' and d.merchant_id = q.merchant_id and d.mode = q.mode and d.next_attempt_at <= now()
      order by d.next_attempt_at limit case when ${isHeld("q")} then ${PARKED_MAX} else q.free end for update skip locked) mine
  ),
  claimed as (
    update deliveries d set claimed = not ${isHeld("d")},
      next_attempt_at = case when not ${isHeld("d")} then clock_timestamp() + $4 * interval '1 millisecond' end
    where d.number = any(array(select number from picked))
    returning ${CLAIMED}
  )
  select ${DUE} from claimed c, ${DUE_FROM} where c.claimed order by c.number`);

export const claimOf = (pool: Pool, queues: QueueCapacity[], leaseMs: number): Promise<DueDelivery[]> =>
  claim(pool, [...columns(queues, "merchantId", "mode", "free"), leaseMs]);

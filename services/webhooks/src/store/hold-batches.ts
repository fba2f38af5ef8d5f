import type { MerchantScope } from "@collect/contracts";
import { columns, type Pool, query, statement } from "@collect/database";
import type { Hold } from "../domain/hold.ts";
import { CLAIMING, type DueDelivery } from "./claiming.ts";
import { PENDING } from "./deliveries.ts";
import { OF_MONEY } from "./endpoint-health.ts";
import { parkScheduled, type Scope } from "./holds.ts";
import { resend } from "./replays.ts";

/** Batches of held deliveries: probes, and what is released after them. */

/** Endpoints with a batch in one claim, few enough for the waiting jobs of a process; those that have waited longest come first. */
const ENDPOINTS_MAX = 4;
/** Without a URL deliveries only end, so that many are taken at once. */
const ENDED_MAX = 500;

type Batch = {
  batch: bigint;
  state: Hold["state"];
  batch_size: number;
  probes: number;
  rate: number | null;
  rate_over_ms: number;
  /** The end of the previous batch. */
  finished_at: string;
};
export type HeldDelivery = DueDelivery & Batch;

/**
 * Claims the next batch of each endpoint that is due: the oldest events that are held, or that a crashed process had claimed.
 * `next_batch_at` is the lease of the batch; a process that finds nothing left ends the hold, and one whose picks others claimed
 * first leaves it due. An `order by` that only one index
 * has forces it, as in lookups.ts: next_attempt_at is null in the whole index of held deliveries.
 */
const claim = statement<HeldDelivery>(`
  with ready as (
    select h.merchant_id, h.mode, case when e.url is null then ${ENDED_MAX} else h.batch_size end as size
    from holds h join endpoints e on e.merchant_id = h.merchant_id and e.mode = h.mode
    where h.mode = $1 and h.state <> 'paused' and h.next_batch_at <= now()
    order by h.next_batch_at limit ${ENDPOINTS_MAX} for update of h skip locked
  ),
  picked as (
    select r.merchant_id, r.mode, oldest.number from ready r, lateral (
      select number from (
        (select d.number, d.sequence from deliveries d
          where d.merchant_id = r.merchant_id and d.mode = r.mode and d.status = 'pending' and d.next_attempt_at is null
          order by d.next_attempt_at, d.sequence limit r.size)
        union all
        (select d.number, d.sequence from deliveries d
          where d.merchant_id = r.merchant_id and d.mode = r.mode and d.status = 'pending' and d.next_attempt_at <= now()
          order by d.next_attempt_at, d.sequence limit r.size)) waiting
      order by sequence, number limit r.size) oldest
  ),
  claimed as (
    update deliveries d set claimed = true, next_attempt_at = clock_timestamp() + $2 * interval '1 millisecond'
    where d.number = any(array(select number from picked)) and ${PENDING} and coalesce(d.next_attempt_at <= now(), true)
    returning ${CLAIMING.CLAIMED}
  ),
  leased as (
    update holds h set batch = h.batch + 1, next_batch_at = clock_timestamp() + $2 * interval '1 millisecond'
    from (select distinct merchant_id, mode from claimed) c where h.merchant_id = c.merchant_id and h.mode = c.mode
    returning h.merchant_id, h.mode, h.batch, h.state, h.batch_size, h.probes, h.rate, h.rate_over_ms, h.finished_at
  ),
  ended as (
    delete from holds h using ready r where h.merchant_id = r.merchant_id and h.mode = r.mode
      and not exists (select from picked p where p.merchant_id = r.merchant_id and p.mode = r.mode)
  )
  select ${CLAIMING.DUE}, l.batch, l.state, l.batch_size, l.probes, l.rate, l.rate_over_ms, l.finished_at
  from claimed c join leased l on l.merchant_id = c.merchant_id and l.mode = c.mode, ${CLAIMING.DUE_FROM}
  order by c.merchant_id, c.sequence, c.number`);

export const claimBatches = (pool: Pool, { mode, leaseMs }: { mode: Scope["mode"]; leaseMs: number }) =>
  claim(pool, [mode, leaseMs]);

/** Among so many of the oldest another event is looked for. */
const OTHERS_MAX = 200;
const NEWEST = `(select number, sequence, 0 as tried from deliveries
          where merchant_id = $1 and mode = $2 and status = 'pending' and next_attempt_at is null
          order by next_attempt_at desc, sequence desc limit 1)`;
const OLDEST = `(select w.number, w.sequence, w.attempts - w.attempts_before as tried from deliveries w
          where w.merchant_id = $1 and w.mode = $2 and w.status = 'pending' and w.next_attempt_at is null
          order by w.next_attempt_at, w.sequence limit ${OTHERS_MAX})`;
/** The newest held event, or of the oldest the one that was tried least often, but not this one. */
const claimAnother = (source: string) =>
  statement<DueDelivery>(`
  with claimed as (
    update deliveries d set claimed = true, next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'
    where d.number = any(array(
      select number from ${source} others
      where number <> $3 order by tried, sequence limit 1)) and ${PENDING} and d.next_attempt_at is null
    returning ${CLAIMING.CLAIMED}
  )
  select ${CLAIMING.DUE} from claimed c, ${CLAIMING.DUE_FROM}`);

const [claimNewest, claimLeastTried] = [claimAnother(NEWEST), claimAnother(OLDEST)];

type Beside = Scope & { number: bigint; isNewest: boolean };
export const claimBeside = (pool: Pool, { merchant_id, mode, number, isNewest }: Beside, leaseMs: number) =>
  (isNewest ? claimNewest : claimLeastTried)(pool, [merchant_id, mode, number, leaseMs]);

export type Finished = Scope & { batch: bigint } & Hold & {
    waitMs: number;
    /** Only the wait after an attempt is by the test clock. */
    attempted: boolean;
    finishedAt: Date;
    /** Deliveries that failed while others were acknowledged: the fault is theirs, and they go on by their own schedule. */
    refused: { number: bigint; retryInMs: number }[];
  };

/** Stores what follows a batch, unless another process has claimed the next one because the lease was over. A pause remains. */
const finish = statement(`
  with finished as (
    update holds set state = $4, batch_size = $5, probes = $6, rate = $7, rate_over_ms = $11, finished_at = $12,
      next_batch_at = case when $4 = 'held' and $13 then time_of($1, $2) else clock_timestamp() end + $8 * interval '1 millisecond'
    where merchant_id = $1 and mode = $2 and batch = $3 and state <> 'paused'
    returning merchant_id, mode, state
  ),
  scheduled as (
    update deliveries d set next_attempt_at = time_of(d.merchant_id, d.mode) + r.retry_in_ms * interval '1 millisecond'
    from unnest($9::bigint[], $10::bigint[]) as r (number, retry_in_ms)
    where d.number = r.number and ${PENDING} and d.next_attempt_at is null and exists (select from finished where state = 'releasing')
  ),
  holding as (select merchant_id, mode from finished where state = 'held'),
  parked as (${parkScheduled("holding s")})
  select from finished`);

export async function finishBatch(
  pool: Pool,
  { merchant_id, mode, batch, waitMs, attempted, finishedAt, refused, ...hold }: Finished,
) {
  const { state, batchSize, probes, rate, rateOverMs } = hold;
  const values = [merchant_id, mode, batch, state, batchSize, probes, rate, waitMs];
  await finish(pool, [...values, ...columns(refused, "number", "retryInMs"), rateOverMs, finishedAt, attempted]);
}

/** Events given up during one hold; each takes the schedule's whole time. */
const EXHAUSTED_MAX = 1_000;

/**
 * What was given up since the outage began, the probes of a long one, begins another round with the rest at the URL of now: nothing
 * that was held needs a replay. Run again it finds nothing.
 */
const revive = query(`
  with given_up as (
    select d.merchant_id, d.mode, d.sequence, d.kind, e.url
    from holds h join endpoints e using (merchant_id, mode), lateral (
      select * from deliveries d where d.number = any(array(
        select number from (${OF_MONEY.map(
          (kind) => `(select number from deliveries where merchant_id = $1 and mode = $2 and kind = '${kind}'
            and status between 'exhausted' and 'exhausted' order by status desc, number desc limit ${EXHAUSTED_MAX})`,
        ).join(" union all ")}) given_up))) d
    where h.merchant_id = $1 and h.mode = $2 and e.url is not null
      and exists (
        select from attempts a where a.delivery_number = d.number and a.attempt = d.attempts and a.started_at >= h.began_at)
      and not exists (
        select from deliveries later where (later.merchant_id, later.mode, later.sequence) = (d.merchant_id, d.mode, d.sequence)
          and later.number > d.number)
  ),
  ${resend("given_up")}
  select number from enqueued`);

export const reviveExhausted = async (pool: Pool, { id, mode }: MerchantScope) => void (await revive(pool, [id, mode]));

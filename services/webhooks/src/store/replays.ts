import type { MerchantScope, Mode } from "@collect/contracts";
import { type Pool, statement, transaction } from "@collect/database";
import { probeNow } from "./holds.ts";
import { deliveriesAt, eventAt } from "./lookups.ts";

/**
 * Resends the events of `source` (merchant_id, mode, sequence, kind, url) to that URL: the event's delivery to it keeps its
 * number, continues counting its attempts and gets the whole schedule again. A pending delivery only becomes due, and one that
 * is being sent is left unchanged. A previous acknowledgment is recorded on the endpoint.
 */
export const resend = (source: string) => `
  enqueued as (
    insert into deliveries as d (merchant_id, mode, sequence, url, kind, next_attempt_at)
    select merchant_id, mode, sequence, url, kind, now() from ${source} order by sequence
    on conflict (merchant_id, mode, sequence, url) do update set
      status = 'pending',
      attempts_before = case d.status when 'pending' then d.attempts_before else d.attempts end,
      kind = excluded.kind,
      claimed = coalesce(d.claimed and d.next_attempt_at > now(), false),
      next_attempt_at = case when d.claimed and d.next_attempt_at > now() then d.next_attempt_at else now() end
    returning d.number, d.merchant_id, d.mode, old.status as status_before
  ),
  acknowledged as (
    update endpoints p set acknowledged_before = true
    from (select distinct merchant_id, mode from enqueued where status_before = 'delivered') h
    where (p.merchant_id, p.mode) = (h.merchant_id, h.mode) and not p.acknowledged_before
  )`;

const one = statement<{ number: bigint }>(`
  with event as (
    select e.merchant_id, e.mode, e.sequence, e.kind, p.url from ${eventAt(["$1", "$2", "$3"])} e join endpoints p using (merchant_id, mode)
    where p.url is not null
  ),
  ${resend("event")},
  probed as (${probeNow("event")})
  select number from enqueued`);

/**
 * The number of the event's delivery to the current URL; undefined without such an event or without a URL. At a held endpoint it
 * goes out with the rest, and the probe is due at once.
 */
export async function replayOne(pool: Pool, { id, mode }: MerchantScope, sequence: number) {
  const [enqueued] = await one(pool, [id, mode, sequence]);
  return enqueued?.number;
}

export type ReplayRow = {
  id: string;
  from_sequence: bigint;
  to_sequence: bigint;
  only_undelivered: boolean;
  at_sequence: bigint;
  replayed: bigint;
  status: "running" | "done" | "cancelled";
  created_at: string;
};

const ROW = "id, from_sequence, to_sequence, only_undelivered, at_sequence, replayed, status, created_at";

/** The range ends at the last recorded event: later events are sent anyway. */
const insert = statement<ReplayRow>(`
  insert into replays (id, merchant_id, mode, from_sequence, to_sequence, only_undelivered, at_sequence)
  select $3, merchant_id, mode, $4::bigint, least($5::bigint, c.sequence), $6, $4::bigint - 1
  from counters c join endpoints p using (merchant_id, mode)
  where merchant_id = $1 and mode = $2 and p.url is not null and c.sequence >= $4::bigint
  on conflict (merchant_id, mode) where status = 'running' do nothing
  returning ${ROW}`);

/** Undefined while another replay is running, without a URL, or if the range contains no event. */
export async function insertReplay(
  pool: Pool,
  { id, mode }: MerchantScope,
  replay: { id: string; from: number; to: number; onlyUndelivered: boolean },
): Promise<ReplayRow | undefined> {
  const [started] = await insert(pool, [id, mode, replay.id, replay.from, replay.to, replay.onlyUndelivered]);
  return started;
}

const last = statement<ReplayRow>(
  `select ${ROW} from replays where merchant_id = $1 and mode = $2 order by created_at desc, id desc limit 1`,
);

export async function lastReplay(pool: Pool, { id, mode }: MerchantScope): Promise<ReplayRow | undefined> {
  const [replay] = await last(pool, [id, mode]);
  return replay;
}

const cancel = statement(
  "update replays set status = 'cancelled' where merchant_id = $1 and mode = $2 and status = 'running'",
);

export async function cancelRunning(pool: Pool, { id, mode }: MerchantScope): Promise<void> {
  await cancel(pool, [id, mode]);
}

/** The replay after a batch; `at_sequence` is its position. */
export type ReplayBatch = { id: string; merchant_id: string; mode: Mode; at_sequence: bigint; status: string };

/**
 * The replay that has waited longest, among those whose merchants have fewer than $1 deliveries due or claimed (within a
 * lease). Replicas skip replays that are locked.
 */
const lock = statement<{ id: string }>(`
  select r.id from replays r
  where r.status = 'running' and $1 > (select count(*) from (
    select from deliveries d where d.merchant_id = r.merchant_id and d.mode = r.mode and d.status = 'pending'
      and d.next_attempt_at <= now() + $2 * interval '1 millisecond' order by d.next_attempt_at limit $1) waiting)
  order by r.moved_at limit 1 for update skip locked`);

/**
 * Enqueues the next events and stores the replay's position, atomically. The log has no gaps, so the next $2 events are a range
 * of the primary key. The replay ends if the URL is removed. Measured: 8 ms for 200 of 1,000,000 events.
 */
const advance = statement<ReplayBatch>(`
  with replay as (
    select r.*, p.url, case when p.url is null then r.at_sequence else least(r.to_sequence, r.at_sequence + $2) end as reached
    from replays r join endpoints p using (merchant_id, mode) where r.id = $1 and r.status = 'running'
  ),
  batch as (
    select r.merchant_id, r.mode, r.url, e.sequence, e.kind
    from replay r cross join lateral (
      select e.sequence, e.kind from events e
      where e.merchant_id = r.merchant_id and e.mode = r.mode and e.sequence > r.at_sequence and e.sequence <= r.reached
      order by e.sequence) e
    left join lateral (
      select d.number from ${deliveriesAt(["r.merchant_id", "r.mode", "e.sequence"])} d where d.status = 'delivered' limit 1) delivered on r.only_undelivered
    where delivered.number is null
  ),
  ${resend("batch")}
  update replays r set
    at_sequence = replay.reached,
    replayed = r.replayed + (select count(*) from enqueued),
    moved_at = clock_timestamp(),
    status = case
      when replay.reached >= r.to_sequence then 'done'
      when replay.url is null then 'cancelled'
      else 'running' end
  from replay where r.id = replay.id
  returning r.id, r.merchant_id, r.mode, r.at_sequence, r.status`);

const postpone = statement("update replays set moved_at = clock_timestamp() where id = $1 and status = 'running'");

/**
 * Enqueues one batch of one replay; undefined when no replay can proceed now. The row is locked first, so that a concurrent
 * replica reads the updated position. A replay that fails goes to the end of the queue and does not block the others.
 */
export async function enqueueBatch(
  pool: Pool,
  { batchMax, backlogMax, leaseMs }: { batchMax: number; backlogMax: number; leaseMs: number },
): Promise<ReplayBatch | undefined> {
  let replayId: string | undefined;
  try {
    return await transaction(pool, async (tx) => {
      const [replay] = await lock(tx, [backlogMax, leaseMs]);
      replayId = replay?.id;
      return replayId === undefined ? undefined : (await advance(tx, [replayId, batchMax]))[0];
    });
  } catch (error) {
    // The original error is the one to report: without a database this fails too.
    if (replayId !== undefined) await postpone(pool, [replayId]).catch(() => {});
    throw error;
  }
}

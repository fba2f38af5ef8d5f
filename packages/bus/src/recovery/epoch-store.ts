import type { MoneyService } from "@collect/contracts";
import { type Pool, statement, transaction } from "@collect/database";

/** The tables `epochs` and `recoveries`, which every service that owns money or numbers has. */

export type Recovery = {
  id: bigint;
  /**
   * The database contains everything committed before this time, by the clock of any service. It is six minutes early: transactions
   * in flight may have begun before, and peers compare it with their own clocks, which may be five minutes apart.
   */
  restoredTo: string;
  noticedAt: string;
  step: string;
  finishedAt: string | null;
};

const COLUMNS = `id, restored_to as "restoredTo", noticed_at as "noticedAt", step, finished_at as "finishedAt"`;

/** Increments the epoch. It waits for the disk: an epoch that peers know and a crash lost would look like a restore. */
const count = statement<{ epoch: bigint; at: string; step: string | null; recently: boolean }>(`
  insert into epochs as own (service, epoch) values ($1, 1)
  on conflict (service) do update set epoch = own.epoch + 1
  returning epoch, clock_timestamp() as at,
    (select step from recoveries where finished_at is null) as step,
    exists (select from recoveries where noticed_at > now() - interval '1 day') as recently`);

export async function beat(pool: Pool, service: MoneyService) {
  const [row] = await count(pool, [service]);
  if (!row) throw new Error("an upsert always returns a row");
  return row;
}

const read = statement<{ epoch: bigint }>("select epoch from epochs where service = $1");

export async function ownEpoch(pool: Pool, service: MoneyService): Promise<bigint> {
  const [row] = await read(pool, [service]);
  return row?.epoch ?? 0n;
}

/** Losing one of these in a crash only means an older value, so neither waits for the disk. */
const ASYNC_COMMIT = "(select set_config('synchronous_commit', 'off', true)) as async_commit";

const keep = statement<{ held: bigint }>(`
  insert into epochs as known (service, epoch) select $1, $2::bigint from ${ASYNC_COMMIT}
  on conflict (service) do update set epoch = greatest(known.epoch, excluded.epoch)
  returning coalesce(old.epoch, 0) as held`);

/** Stores a peer's epoch and returns the one stored before. */
export async function keepEpoch(pool: Pool, service: MoneyService, epoch: bigint): Promise<bigint> {
  const [row] = await keep(pool, [service, epoch]);
  return row?.held ?? 0n;
}

const confirm = statement(`
  insert into epochs as known (service, epoch, confirmed_at)
  select peer, 0, $2::timestamptz from unnest($1::text[]) as n (peer), ${ASYNC_COMMIT} order by peer
  on conflict (service) do update set confirmed_at = greatest(known.confirmed_at, excluded.confirmed_at)`);

/** These peers know our epoch of that time. In a restored database it is no later than the restore point. */
export async function confirmed(pool: Pool, peers: MoneyService[], at: string): Promise<void> {
  await confirm(pool, [peers, at]);
}

const continueAfter = statement("update epochs set epoch = greatest(epoch, $2::bigint + 1) where service = $1");

const UNKNOWN = "waiting for ops -- recovery start: the restore time is unknown";

/**
 * The last confirmation, according to this database, by the peers that are ahead was before the restore point. If the
 * database contains none, it was restored to a time before its first confirmation: no replica claims that recovery
 * until an operator gives the restore time.
 */
const insert = statement<Recovery & { isUnknown: boolean }>(`
  insert into recoveries as known (restored_to, step, next_at)
  select coalesce(at, clock_timestamp()), case when at is null then '${UNKNOWN}' else 'noticed' end,
    case when at is null then 'infinity' else clock_timestamp() end
  from (select coalesce($2::timestamptz, (select min(confirmed_at) from epochs where service = any($1::text[])))
    - interval '6 minutes' as at) as found
  on conflict ((finished_at is null)) where finished_at is null
    do update set restored_to = least(known.restored_to, excluded.restored_to), noticed_at = clock_timestamp(),
      next_at = least(known.next_at, excluded.next_at)
  returning ${COLUMNS}, next_at = 'infinity' as "isUnknown"`);

/**
 * Records that the database was restored, and continues the epoch from the peers' value. A recovery in progress is
 * extended to the earlier restore point and to everything lost until now: its own row may have been restored.
 */
export function insertRecovery(
  pool: Pool,
  service: MoneyService,
  ahead: { peer: MoneyService; held: bigint }[],
  restoredTo?: string,
): Promise<Recovery & { isUnknown: boolean }> {
  return transaction(pool, async (tx) => {
    const [held = 0n] = ahead.map((each) => each.held).toSorted((one, other) => (one > other ? -1 : 1));
    await continueAfter(tx, [service, held]);
    const [recovery] = await insert(tx, [ahead.map(({ peer }) => peer), restoredTo ?? null]);
    if (!recovery) throw new Error("an upsert always returns a row");
    return recovery;
  });
}

const LEASE = "interval '20 seconds'";
const claim = statement<Recovery>(`
  update recoveries set next_at = clock_timestamp() + ${LEASE}
  where finished_at is null and next_at <= clock_timestamp() returning ${COLUMNS}`);

/** Claims the recovery in progress for this process, until the lease after its last step expires. */
export async function claimRecovery(pool: Pool): Promise<Recovery | undefined> {
  const [recovery] = await claim(pool);
  return recovery;
}

// One that was extended in the meantime keeps its step and is claimed again.
const recordStep = statement(`
  with running as (select id, restored_to, noticed_at from recoveries where id = $1 and finished_at is null for update),
    recorded as (
      update recoveries r set step = $2, next_at = clock_timestamp() + ${LEASE} from running
      where r.id = running.id and running.restored_to = $3 and running.noticed_at = $4
    )
  select id from running`);
/** False if it was ended in the meantime. */
export async function setStep(pool: Pool, { id, restoredTo, noticedAt }: Recovery, step: string): Promise<boolean> {
  return (await recordStep(pool, [id, step, restoredTo, noticedAt])).length > 0;
}

// A recovery that was extended in the meantime is not finished.
const finish = statement(`
  update recoveries set step = 'done', finished_at = clock_timestamp()
  where id = $1 and restored_to = $2 and noticed_at = $3 returning id`);
/** Returns whether it is finished. */
export async function finishRecovery(pool: Pool, { id, restoredTo, noticedAt }: Recovery): Promise<boolean> {
  return (await finish(pool, [id, restoredTo, noticedAt])).length > 0;
}

const end = statement<Recovery>(`
  update recoveries set step = 'ended by hand', finished_at = clock_timestamp() where finished_at is null returning ${COLUMNS}`);
/** An operator declares this database current: the others catch up from it. */
export async function endRecovery(pool: Pool): Promise<Recovery | undefined> {
  return (await end(pool))[0];
}

const postpone = statement(
  "update recoveries set next_at = clock_timestamp() + $2 * interval '1 millisecond' where id = $1 and finished_at is null",
);
export async function postponeRecovery(pool: Pool, { id }: Recovery, waitMs: number): Promise<void> {
  await postpone(pool, [id, waitMs]);
}

const latest = statement<Recovery>(`select ${COLUMNS} from recoveries order by id desc limit 1`);
export async function lastRecovery(pool: Pool): Promise<Recovery | undefined> {
  const [recovery] = await latest(pool);
  return recovery;
}

const running = statement<{ step: string; age_s: number }>(`
  select step, extract(epoch from clock_timestamp() - noticed_at)::double precision as age_s from recoveries where finished_at is null`);
/** The recovery in progress: its step, and how long ago the restore was noticed. */
export const runningRecovery = async (pool: Pool) => (await running(pool))[0];

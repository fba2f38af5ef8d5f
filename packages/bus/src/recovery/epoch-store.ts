import type { MoneyService } from "@collect/contracts";
import { type Pool, statement, transaction } from "@collect/database";

/** The tables `epochs` and `recoveries`, which every service has that holds money or numbers. */

export type Recovery = {
  id: bigint;
  /** What was committed before this moment is there. A minute early: what was in flight at the time may have begun before. */
  restoredTo: string;
  noticedAt: string;
  step: string;
  finishedAt: string | null;
};

const COLUMNS = `id, restored_to as "restoredTo", noticed_at as "noticedAt", step, finished_at as "finishedAt"`;

/** Counts on. It waits for the disk: an epoch that neighbours hold and a crash took back would look like a restore. */
const count = statement<{ epoch: bigint; at: string; step: string | null; recently: boolean }>(`
  insert into epochs as own (service, epoch) values ($1, 1)
  on conflict (service) do update set epoch = own.epoch + 1
  returning epoch, clock_timestamp() as at,
    (select step from recoveries where finished_at is null) as step,
    exists (select from recoveries where noticed_at > now() - interval '1 day') as recently`);

export async function beat(pool: Pool, service: MoneyService) {
  const [row] = await count(pool, [service]);
  if (!row) throw new Error("an upsert always answers");
  return row;
}

const read = statement<{ epoch: bigint }>("select epoch from epochs where service = $1");

export async function ownEpoch(pool: Pool, service: MoneyService): Promise<bigint> {
  const [row] = await read(pool, [service]);
  return row?.epoch ?? 0n;
}

/** Losing one of these to a crash only means an older one: neither waits for the disk. */
const LAZILY = "(select set_config('synchronous_commit', 'off', true)) as lazily";

const keep = statement<{ held: bigint }>(`
  insert into epochs as known (service, epoch) select $1, $2::bigint from ${LAZILY}
  on conflict (service) do update set epoch = greatest(known.epoch, excluded.epoch)
  returning coalesce(old.epoch, 0) as held`);

/** What was held before. */
export async function keepEpoch(pool: Pool, service: MoneyService, epoch: bigint): Promise<bigint> {
  const [row] = await keep(pool, [service, epoch]);
  return row?.held ?? 0n;
}

const confirm = statement(`
  insert into epochs as known (service, epoch, confirmed_at)
  select neighbour, 0, $2::timestamptz from unnest($1::text[]) as n (neighbour), ${LAZILY} order by neighbour
  on conflict (service) do update set confirmed_at = greatest(known.confirmed_at, excluded.confirmed_at)`);

/** These neighbours know our epoch of that instant: in a restored database it is no later than the restore point. */
export async function confirmed(pool: Pool, neighbours: MoneyService[], at: string): Promise<void> {
  await confirm(pool, [neighbours, at]);
}

const goOn = statement("update epochs set epoch = greatest(epoch, $2::bigint + 1) where service = $1");

const UNKNOWN = "waits for ops -- recovery start: nobody knows how far back it went";

/**
 * What neighbours who are ahead confirmed last, as this database remembers it, was before the restore point. When it remembers
 * none of them, it went back to before it was ever confirmed: nobody claims that recovery until its moment is given.
 */
const insert = statement<Recovery & { isUnknown: boolean }>(`
  insert into recoveries as known (restored_to, step, next_at)
  select coalesce(at, clock_timestamp()), case when at is null then '${UNKNOWN}' else 'noticed' end,
    case when at is null then 'infinity' else clock_timestamp() end
  from (select coalesce($2::timestamptz, (select min(confirmed_at) from epochs where service = any($1::text[])))
    - interval '1 minute' as at) as found
  on conflict ((finished_at is null)) where finished_at is null
    do update set restored_to = least(known.restored_to, excluded.restored_to), noticed_at = clock_timestamp(),
      next_at = least(known.next_at, excluded.next_at)
  returning ${COLUMNS}, next_at = 'infinity' as "isUnknown"`);

/**
 * Notes that the database was restored, and counts on from what the neighbours hold. One that is under way goes further back,
 * and covers what was lost until now: it may itself have been restored.
 */
export function insertRecovery(
  pool: Pool,
  service: MoneyService,
  ahead: { neighbour: MoneyService; held: bigint }[],
  restoredTo?: string,
): Promise<Recovery & { isUnknown: boolean }> {
  return transaction(pool, async (tx) => {
    const [held = 0n] = ahead.map((each) => each.held).toSorted((one, other) => (one > other ? -1 : 1));
    await goOn(tx, [service, held]);
    const [recovery] = await insert(tx, [ahead.map(({ neighbour }) => neighbour), restoredTo ?? null]);
    if (!recovery) throw new Error("an upsert always answers");
    return recovery;
  });
}

const LEASE = "interval '20 seconds'";
const claim = statement<Recovery>(`
  update recoveries set next_at = clock_timestamp() + ${LEASE}
  where finished_at is null and next_at <= clock_timestamp() returning ${COLUMNS}`);

/** The one under way, for this process alone until so long after its last step. */
export async function claimRecovery(pool: Pool): Promise<Recovery | undefined> {
  const [recovery] = await claim(pool);
  return recovery;
}

const stepOn = statement(`
  update recoveries set step = $2, next_at = clock_timestamp() + ${LEASE}
  where id = $1 and restored_to = $3 and noticed_at = $4`);
export async function setStep(pool: Pool, { id, restoredTo, noticedAt }: Recovery, step: string): Promise<void> {
  await stepOn(pool, [id, step, restoredTo, noticedAt]);
}

// One that has to go further back than it did, or that has to cover more, is not finished.
const finish = statement(`
  update recoveries set step = 'done', finished_at = clock_timestamp()
  where id = $1 and restored_to = $2 and noticed_at = $3 returning id`);
/** Whether it is. */
export async function finishRecovery(pool: Pool, { id, restoredTo, noticedAt }: Recovery): Promise<boolean> {
  return (await finish(pool, [id, restoredTo, noticedAt])).length > 0;
}

const end = statement<Recovery>(`
  update recoveries set step = 'ended by hand', finished_at = clock_timestamp() where finished_at is null returning ${COLUMNS}`);
/** An operator says that this database is right as it is: it is the one from which others catch up. */
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

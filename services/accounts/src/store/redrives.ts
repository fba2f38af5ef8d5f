import type { Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import { TRANSFER_COLUMNS, type TransferRow } from "./inbound-transfers.ts";

/** A range of the intake that is redriven, including completed transfers, and its progress. */
export type Redrive = {
  id: bigint;
  mode: Mode;
  from: string;
  to: string;
  /** The last transfer that was published; empty before the first. */
  position_received_at: string;
  position_intake_id: string;
  redriven: bigint;
  started_at: string;
  finished_at: string | null;
};

const COLUMNS = `id, mode, from_received_at as "from", to_received_at as "to", position_received_at, position_intake_id,
  redriven, started_at, finished_at`;

const start = statement(`
  insert into redrives (mode, from_received_at, to_received_at, position_received_at)
  select mode, $2, $3, $2 from unnest($1::text[]) as m (mode)
  on conflict (mode, from_received_at, to_received_at) where finished_at is null do nothing`);

const findUnfinished = statement<Redrive>(`
  select ${COLUMNS} from redrives
  where mode = any($1::text[]) and from_received_at = $2 and to_received_at = $3 and finished_at is null order by id`);

/** One for each mode. The same range, while it is unfinished, is the same redrive. */
export async function startRedrives(
  pool: Pool,
  { modes, from, to }: { modes: readonly Mode[]; from: string; to: string },
): Promise<Redrive[]> {
  await start(pool, [modes, from, to]);
  return findUnfinished(pool, [modes, from, to]);
}

const read = statement<Redrive>(`select ${COLUMNS} from redrives where id = any($1::bigint[]) order by id`);
export const readRedrives = (pool: Pool, ids: bigint[]): Promise<Redrive[]> => read(pool, [ids]);

const claim = statement<Redrive>(`
  update redrives set lease_until = now() + $1 * interval '1 millisecond'
  where id = (
    select id from redrives where finished_at is null and lease_until <= now()
    order by mode <> 'live', id limit 1 for update skip locked)
  returning ${COLUMNS}`);

/** Claims the next unclaimed redrive, live before test, until the lease ends. */
export async function claimRedrive(pool: Pool, leaseMs: number): Promise<Redrive | undefined> {
  return (await claim(pool, [leaseMs]))[0];
}

const page = statement<TransferRow>(`
  select ${TRANSFER_COLUMNS} from inbound_transfers t
  where t.mode = $1 and t.received_at < least($2::timestamptz, $3::timestamptz)
    and (t.received_at, t.intake_id) > ($4::timestamptz, $5)
  order by t.received_at, t.intake_id limit $6`);

/** The transfers after its position, in the order of receipt. Those received since it started are already in flight. */
export function pageOfRedrive(
  pool: Pool,
  { mode, to, started_at, position_received_at, position_intake_id }: Redrive,
  limit: number,
): Promise<TransferRow[]> {
  return page(pool, [mode, to, started_at, position_received_at, position_intake_id, limit]);
}

const advance = statement<Redrive>(`
  update redrives set position_received_at = $2, position_intake_id = $3, redriven = redriven + $4,
    lease_until = now() + $5 * interval '1 millisecond'
  where id = $1 returning ${COLUMNS}`);

/** Records a published page. A crash before this only publishes it again. */
export async function advanceRedrive(
  pool: Pool,
  { id }: Redrive,
  { last, count, leaseMs }: { last: TransferRow; count: number; leaseMs: number },
): Promise<Redrive | undefined> {
  return (await advance(pool, [id, last.receivedAt, last.intakeId, count, leaseMs]))[0];
}

const finish = statement("update redrives set finished_at = now() where id = $1 and finished_at is null");
export const finishRedrive = async (pool: Pool, { id }: Redrive): Promise<void> => void (await finish(pool, [id]));

const extend = statement("update redrives set lease_until = now() + $2 * interval '1 millisecond' where id = $1");

/** Extends the lease; 0 releases it. */
export const extendLease = async (pool: Pool, { id }: Redrive, leaseMs: number): Promise<void> =>
  void (await extend(pool, [id, leaseMs]));

import type { Actor, MerchantScope, Mode } from "@collect/contracts";
import { type Pool, type Session, statement, type Transaction } from "@collect/database";
import type { Page } from "../../domain/page.ts";
import { type Batch, type BatchProgress, merchantOf } from "../domain/transfer-batch.ts";

/** Finds, lists and deletes files of transfers; batch-steps.ts moves them from state to state. */

export const BATCH_COLUMNS = `b.reference, b.merchant_id as "merchantId", b.mode, b.name, b.state, b.lines, b.total, b.created_at as "createdAt",
  b.created_by as "createdBy", b.confirmed_at as "confirmedAt", b.confirmed_by as "confirmedBy", b.approved_at as "approvedAt",
  b.approved_by as "approvedBy", b.approver_since as "approverSince", b.attempts`;

const insert = statement<{ reference: string }>(`
  insert into transfer_batches (reference, merchant_id, mode, name, lines, total, created_by, next_at)
  values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp()) on conflict do nothing returning reference`);

/** False when the same lines were sent before. */
export async function insertBatch(
  tx: Transaction,
  batch: Pick<Batch, "reference" | "merchantId" | "mode" | "name" | "lines" | "total"> & { createdBy: Actor | null },
): Promise<boolean> {
  const { reference, merchantId, mode, name, lines, total, createdBy } = batch;
  return (await insert(tx, [reference, merchantId, mode, name, lines, total, createdBy])).length > 0;
}

const PROGRESS = `
  cross join lateral (
    select count(*) filter (where checked)::integer as checked, count(*) filter (where faults <> '[]')::integer as faulty,
      count(*) filter (where outcome = 'ordered')::integer as ordered,
      coalesce(sum(amount) filter (where outcome = 'ordered'), 0)::bigint as "orderedTotal",
      count(*) filter (where outcome = 'refused')::integer as refused,
      coalesce(sum(amount) filter (where outcome = 'refused'), 0)::bigint as "refusedTotal"
    from transfer_batch_lines where batch = b.reference
  ) p`;

const find = statement<Batch & BatchProgress>(`
  select ${BATCH_COLUMNS}, p.* from transfer_batches b ${PROGRESS}
  where b.reference = $1 and b.merchant_id = $2 and b.mode = $3`);

export async function findBatch(
  session: Session,
  { id, mode }: MerchantScope,
  reference: string,
): Promise<(Batch & BatchProgress) | undefined> {
  return (await find(session, [reference, id, mode]))[0];
}

const list = statement<Batch & BatchProgress>(`
  with b as materialized (
    select * from transfer_batches where merchant_id = $1 and mode = $2 and (created_at, reference) < ($3, $4)
      and ($6::text is null or state = $6)
    order by created_at desc, reference desc limit $5
  )
  select ${BATCH_COLUMNS}, p.* from b ${PROGRESS} order by b.created_at desc, b.reference desc`);

export const listBatches = (
  session: Session,
  { id, mode }: MerchantScope,
  { page: { before, key, limit }, state = null }: { page: Page; state?: string | null },
) => list(session, [id, mode, before, key, limit, state]);

const open = statement<{ count: number }>(`
  select count(*)::integer as count from transfer_batches
  where merchant_id = $1 and mode = $2 and state <> 'sent' and (state <> 'checked' or confirmed_on is null)`);

/** The merchant's files that are being checked, confirmed or ordered. */
export async function countOpenBatches(tx: Session, { id, mode }: MerchantScope): Promise<number> {
  return (await open(tx, [id, mode]))[0]?.count ?? 0;
}

const awaiting = statement<{ count: number }>(`
  select count(*)::integer as count from transfer_batches where merchant_id = $1 and mode = $2 and state = 'awaiting_approval'`);

export async function countBatchesAwaitingApproval(session: Session, { id, mode }: MerchantScope): Promise<number> {
  return (await awaiting(session, [id, mode]))[0]?.count ?? 0;
}

const today = statement<{ sum: bigint }>(`
  select coalesce(sum(total), 0)::bigint as sum from transfer_batches
  where merchant_id = $1 and mode = $2 and reference <> $3 and confirmed_on = (time_of($1, $2) at time zone 'Africa/Lagos')::date`);

/** What the merchant's other files pay that were confirmed today, whether or not those still hold. */
export async function confirmedToday(tx: Transaction, { id, mode }: MerchantScope, reference: string): Promise<bigint> {
  return (await today(tx, [id, mode, reference]))[0]?.sum ?? 0n;
}

const lock = statement("select pg_advisory_xact_lock(hashtextextended('transfer batches of ' || $1, 0))");

/** To the end of the transaction, no other file of this merchant is stored, confirmed, approved or tried again. */
export const lockBatches = async (tx: Transaction, { id, mode }: MerchantScope) =>
  void (await lock(tx, [`${id} ${mode}`]));

const lockRead = statement(`
  select from transfer_batches where reference = $1 and state = $2 and confirmed_at is not distinct from $3 for update`);

/**
 * The same, and whether the file is still as it was read: what another process or person moved on in the meantime is not judged by
 * what it was.
 */
export async function lockBatchAsRead(tx: Transaction, batch: Batch): Promise<boolean> {
  await lockBatches(tx, merchantOf(batch));
  const { reference, state, confirmedAt } = batch;
  return (await lockRead(tx, [reference, state, confirmedAt])).length > 0;
}

const discard = statement<{ reference: string }>(`
  delete from transfer_batches b where reference = $1 and (
    state in ('checking', 'checked') and confirmed_on is null
    or state <> 'sending' and not exists (select from transfer_batch_lines where batch = b.reference and transfer is not null))
  returning reference`);

/**
 * False if it is being sent, or some of it was: what it paid counts towards the threshold of its day. The same lines, uploaded
 * again, have the same references, so a transfer of a file that was deleted is found again, and never made again.
 */
export const deleteBatch = async (tx: Session, reference: string): Promise<boolean> =>
  (await discard(tx, [reference])).length > 0;

const deleteOld = statement<{ reference: string }>(`
  delete from transfer_batches where reference = any (array(
    select reference from transfer_batches
    where created_at < clock_timestamp() - $1 * interval '1 day' and state not in ('awaiting_approval', 'sending')
    order by created_at limit $2 for update skip locked))
  returning reference`);

export const deleteOldBatches = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await deleteOld(pool, [days, max])).length;

export type OverdueBatches = { mode: Mode; step: string; count: number; oldest_created_at: string };

/** Files that no process has gone on with for two minutes. */
export const countOverdueBatches = statement<OverdueBatches>(`
  select mode, state as step, count(*)::integer as count, min(created_at) as oldest_created_at from transfer_batches
  where next_at < now() - interval '2 minutes' group by mode, state order by mode, state`);

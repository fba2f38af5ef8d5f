import type { Actor, MerchantScope, Mode } from "@collect/contracts";
import { type Pool, type Session, statement, type Transaction } from "@collect/database";
import type { Page } from "../../domain/page.ts";
import type { Batch, BatchProgress } from "../domain/transfer-batch.ts";

/** Files of transfers. Each statement that moves one names the states that it moves it from, and returns nothing from others. */

const COLUMNS = `b.reference, b.merchant_id as "merchantId", b.mode, b.name, b.state, b.lines, b.total, b.created_at as "createdAt",
  b.created_by as "createdBy", b.confirmed_at as "confirmedAt", b.confirmed_by as "confirmedBy", b.approved_at as "approvedAt",
  b.approved_by as "approvedBy", b.approver_since as "approverSince", b.attempts`;

const insert = statement<{ reference: string }>(`
  insert into transfer_batches (reference, merchant_id, mode, name, lines, total, created_by, next_at)
  values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp()) on conflict do nothing returning reference`);

/** False when the same lines were sent before. */
export async function insertBatch(
  tx: Transaction,
  batch: Pick<Batch, "reference" | "merchantId" | "mode" | "name" | "lines" | "total" | "createdBy">,
): Promise<boolean> {
  const { reference, merchantId, mode, name, lines, total, createdBy } = batch;
  return (await insert(tx, [reference, merchantId, mode, name, lines, total, createdBy])).length > 0;
}

const PROGRESS = `
  cross join lateral (
    select count(*) filter (where checked)::integer as checked, count(*) filter (where faults <> '[]')::integer as faulty,
      count(*) filter (where outcome = 'ordered')::integer as ordered,
      coalesce(sum(amount) filter (where outcome = 'ordered'), 0)::bigint as "orderedTotal",
      count(*) filter (where outcome = 'refused')::integer as refused
    from transfer_batch_lines where batch = b.reference
  ) p`;

const find = statement<Batch & BatchProgress>(`
  select ${COLUMNS}, p.* from transfer_batches b ${PROGRESS}
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
    order by created_at desc, reference desc limit $5
  )
  select ${COLUMNS}, p.* from b ${PROGRESS} order by b.created_at desc, b.reference desc`);

export const listBatches = (session: Session, { id, mode }: MerchantScope, { before, key, limit }: Page) =>
  list(session, [id, mode, before, key, limit]);

const open = statement<{ count: number }>(`
  select count(*)::integer as count from transfer_batches where merchant_id = $1 and mode = $2 and state <> 'sent'`);

/** The merchant's files that are being checked, confirmed or ordered. */
export async function countOpenBatches(tx: Session, { id, mode }: MerchantScope): Promise<number> {
  return (await open(tx, [id, mode]))[0]?.count ?? 0;
}

const awaiting = statement<{ count: number }>(`
  select count(*)::integer as count from transfer_batches where merchant_id = $1 and mode = $2 and state = 'awaiting_approval'`);

export async function countBatchesAwaitingApproval(session: Session, { id, mode }: MerchantScope): Promise<number> {
  return (await awaiting(session, [id, mode]))[0]?.count ?? 0;
}

const lock = statement("select pg_advisory_xact_lock(hashtextextended('transfer batches of ' || $1, 0))");

/** To the end of the transaction, no other file of this merchant is stored, confirmed or resumed. */
export const lockBatches = async (tx: Transaction, { id, mode }: MerchantScope) =>
  void (await lock(tx, [`${id} ${mode}`]));

const claim = statement<Batch>(`
  update transfer_batches b set next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = any(array(
    select reference from transfer_batches where mode = $1 and next_at <= now() order by next_at limit $2 for update skip locked))
  returning ${COLUMNS}`);
export const claimDueBatches = (
  tx: Session,
  { mode, limit, leaseMs }: { mode: Mode; limit: number; leaseMs: number },
) => claim(tx, [mode, limit, leaseMs]);

const extend = statement<{ reference: string }>(`
  update transfer_batches set attempts = 0, next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and state = $2 returning reference`);

/** False if it is no longer in this state: it was discarded, or another process has ended it. */
export async function extendLease(tx: Session, { reference, state }: Batch, leaseMs: number): Promise<boolean> {
  return (await extend(tx, [reference, state, leaseMs])).length > 0;
}

const postpone = statement(`
  update transfer_batches set attempts = attempts + 1, next_at = clock_timestamp() + $3 * interval '1 millisecond'
  where reference = $1 and state = $2`);
export const postponeBatch = async (tx: Session, { reference, state }: Batch, waitMs: number) =>
  void (await postpone(tx, [reference, state, waitMs]));

const checked = statement(
  "update transfer_batches set state = 'checked', attempts = 0, next_at = null where reference = $1 and state = 'checking'",
);
export const markChecked = async (tx: Session, reference: string) => void (await checked(tx, [reference]));

/** Only without a fault in any line; `approvalMs` is how long it waits for the second person. */
const confirm = statement<{ reference: string }>(`
  update transfer_batches set state = case when $4 then 'awaiting_approval' else 'sending' end, confirmed_at = clock_timestamp(),
    confirmed_by = $2::jsonb, needs_approval = $4, attempts = 0,
    next_at = clock_timestamp() + case when $4 then $3 else 0 end * interval '1 millisecond'
  where reference = $1 and state = 'checked'
    and not exists (select from transfer_batch_lines where batch = $1 and (faults <> '[]' or not checked or amount is null))
  returning reference`);

export async function markConfirmed(
  tx: Transaction,
  {
    reference,
    by,
    needsApproval,
    approvalMs,
  }: { reference: string; by: Actor; needsApproval: boolean; approvalMs: number },
): Promise<boolean> {
  return (await confirm(tx, [reference, JSON.stringify(by), approvalMs, needsApproval])).length > 0;
}

const approve = statement<{ reference: string }>(`
  update transfer_batches set state = 'sending', approved_at = clock_timestamp(), approved_by = $2::jsonb, approver_since = $3,
    attempts = 0, next_at = clock_timestamp()
  where reference = $1 and state = 'awaiting_approval'
    and (mode = 'test' or date_trunc('milliseconds', clock_timestamp()) - $3::timestamptz >= interval '24 hours')
  returning reference`);

export async function markBatchApproved(
  tx: Session,
  reference: string,
  { by, since }: { by: Actor; since: string },
): Promise<boolean> {
  return (await approve(tx, [reference, JSON.stringify(by), since])).length > 0;
}

const lapse = statement(`
  update transfer_batches set state = 'checked', confirmed_at = null, confirmed_by = null, needs_approval = null, attempts = 0, next_at = null
  where reference = $1 and state = 'awaiting_approval'`);

/** The time for its approval is over: it can be confirmed again. */
export const markLapsed = async (tx: Session, reference: string) => void (await lapse(tx, [reference]));

const sent = statement(`
  update transfer_batches set state = 'sent', attempts = 0, next_at = null where reference = $1 and state = 'sending'
    and not exists (select from transfer_batch_lines where batch = $1 and outcome is null)`);
export const markSent = async (tx: Session, reference: string) => void (await sent(tx, [reference]));

const resume = statement(
  "update transfer_batches set state = 'sending', attempts = 0, next_at = clock_timestamp() where reference = $1 and state = 'sent'",
);
export const markResumed = async (tx: Transaction, reference: string) => void (await resume(tx, [reference]));

const discard = statement<{ reference: string }>(`
  delete from transfer_batches where reference = $1 and state in ('checking', 'checked', 'awaiting_approval') returning reference`);

/** False if it is being sent, or was. */
export const deleteBatch = async (tx: Session, reference: string): Promise<boolean> =>
  (await discard(tx, [reference])).length > 0;

const deleteOld = statement<{ reference: string }>(`
  delete from transfer_batches where reference = any (array(
    select reference from transfer_batches where confirmed_at is null and created_at < clock_timestamp() - $1 * interval '1 day'
    order by created_at limit $2 for update skip locked))
  returning reference`);

export const deleteUnconfirmed = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await deleteOld(pool, [days, max])).length;

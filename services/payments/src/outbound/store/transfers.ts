import type { Actor, MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import type { Transfer } from "../domain/transfer.ts";

/** Inserts, finds and lists transfers; transfer-steps.ts moves them from step to step. */

export const TRANSFER_COLUMNS = `t.reference, t.merchant_id as "merchantId", t.mode, t.merchant_reference as "merchantReference",
  t.amount, t.fee, t.bank_code as "bankCode", t.bank_name as "bankName", t.account_number as "accountNumber",
  t.account_name as "accountName", t.name_withheld as "nameWithheld", t.narration, t.metadata, t.step, t.status, t.verdict, t.failure_code as "failureCode",
  t.failure_reason as "failureReason", t.told as "notified", t.attempts, t.follow_ups as "followUps", t.created_at as "createdAt",
  t.sent_at as "sentAt", t.completed_at as "completedAt", t.reversed_at as "reversedAt", t.held_for as "heldFor", t.partner, t.resolution, t.returned,
  t.ordered_by as "orderedBy", t.approval, t.approval_by as "approvalBy", t.approval_at as "approvalAt",
  t.session_id as "sessionId"`;

export type NewTransfer = Pick<
  Transfer,
  | "reference"
  | "merchantId"
  | "mode"
  | "merchantReference"
  | "amount"
  | "bankCode"
  | "bankName"
  | "accountNumber"
  | "accountName"
  | "nameWithheld"
  | "narration"
  | "metadata"
> & { orderedBy: Actor | null };

const insert = statement<Transfer>(`
  insert into transfers as t (reference, merchant_id, mode, merchant_reference, amount, bank_code, bank_name, account_number,
    account_name, name_withheld, narration, metadata, ordered_by, next_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, clock_timestamp() + $14 * interval '1 millisecond',
    time_of($2, $3))
  on conflict do nothing
  returning ${TRANSFER_COLUMNS}`);

/**
 * Claims the merchant's reference; undefined when a concurrent duplicate was first. For `leaseMs` only the caller may
 * advance the transfer.
 */
export async function insertTransfer(
  tx: Session,
  transfer: NewTransfer,
  leaseMs: number,
): Promise<Transfer | undefined> {
  const [inserted] = await insert(tx, [
    transfer.reference,
    transfer.merchantId,
    transfer.mode,
    transfer.merchantReference,
    transfer.amount,
    transfer.bankCode,
    transfer.bankName,
    transfer.accountNumber,
    transfer.accountName,
    transfer.nameWithheld,
    transfer.narration,
    transfer.metadata,
    transfer.orderedBy,
    leaseMs,
  ]);
  return inserted;
}

const refused = statement<{ count: number }>(`
  select count(*)::integer as count from transfers
  where merchant_id = $1 and mode = $2 and merchant_reference = $3 and step = 'refused'`);

/** How many orders under this reference the ledger refused. */
export async function countRefused(tx: Session, merchant: MerchantScope, merchantReference: string): Promise<number> {
  const [row] = await refused(tx, [merchant.id, merchant.mode, merchantReference]);
  return row?.count ?? 0;
}

const findByMerchantReference = statement<Transfer>(`
  select ${TRANSFER_COLUMNS} from transfers t
  where merchant_id = $1 and mode = $2 and merchant_reference = $3 and step <> 'refused'`);

export async function findTransferOf(
  tx: Session,
  merchant: MerchantScope,
  merchantReference: string,
): Promise<Transfer | undefined> {
  const [transfer] = await findByMerchantReference(tx, [merchant.id, merchant.mode, merchantReference]);
  return transfer;
}

/** Looks up the key first: a plan made while the table is small would otherwise scan all transfers of the merchant. */
const find = statement<Transfer>(`
  with t as materialized (select * from transfers where reference = $1)
  select ${TRANSFER_COLUMNS} from t where merchant_id = $2 and mode = $3 and step not in ('created', 'refused')`);

export async function findTransfer(
  tx: Session,
  merchant: MerchantScope,
  reference: string,
): Promise<Transfer | undefined> {
  const [transfer] = await find(tx, [reference, merchant.id, merchant.mode]);
  return transfer;
}

export type UnfinishedTransfers = {
  mode: Transfer["mode"];
  step: Transfer["step"];
  count: number;
  sum: bigint;
  oldest_created_at: string;
};

/** Transfers that have not ended, or whose event is not recorded yet. */
export const countUnfinishedTransfers = statement<UnfinishedTransfers>(`
  select mode, step, count(*)::integer as count, sum(amount)::bigint as sum, min(created_at) as oldest_created_at
  from transfers where step not in ('told', 'refused') group by mode, step order by mode, step`);

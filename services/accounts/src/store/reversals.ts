import { isReversalOfLine, type Mode } from "@collect/contracts";
import { columns, type Pool, type Session, statement, type Transaction } from "@collect/database";
import type { ReportedTransfer } from "../domain/intake.ts";
import type { Part } from "../domain/line-reversal.ts";
import type { Credit } from "../domain/reversal.ts";

/** What banks took back: committed once, admitted once its credit is complete, and driven until the merchant's event is recorded. */

export type Reversal = ReportedTransfer & { reversalId: string; creditId: string };

export type ReversalRow = {
  reversalId: string;
  creditId: string;
  bank: string;
  mode: Mode;
  bankTransferId: string;
  accountNumber: string;
  amount: bigint;
  bankFee: bigint;
  bankVat: bigint;
  sessionId: string | null;
  settlementId: string | null;
  reversedAt: string;
  receivedAt: string;
  admittedAt: string | null;
  reversedBefore: bigint | null;
  merchantId: string | null;
  allocatedAt: string | null;
  refused: string | null;
  missedAt: string | null;
};

/** A reversal may come before its credit, but not much: a bank repeats what we did not answer within minutes. */
const CREDIT_DUE = "1 hour";

/** Of `inbound_reversals r`. */
const COLUMNS = `r.reversal_id as "reversalId", r.credit_id as "creditId", r.bank, r.mode, r.bank_transfer_id as "bankTransferId",
  r.account_number as "accountNumber", r.amount, r.bank_fee as "bankFee", r.bank_vat as "bankVat", r.session_id as "sessionId",
  r.settlement_id as "settlementId", r.reversed_at as "reversedAt", r.received_at as "receivedAt",
  r.admitted_at as "admittedAt", r.reversed_before as "reversedBefore", r.merchant_id as "merchantId",
  r.allocated_at as "allocatedAt", r.refused, r.missed_at as "missedAt"`;

const lock = statement<Omit<Credit, "isTakenByLine">>(`
  select account_number as "accountNumber", amount, reversed, merchant_id as "merchantId", completed_at as "completedAt"
  from inbound_transfers where intake_id = $1 for update`);

/** Locks the credit, if it is known: its reversals, and its allocation, follow each other. Locked before any reversal. */
export async function lockCredit(tx: Transaction, creditId: string): Promise<Credit | undefined> {
  const [credit] = await lock(tx, [creditId]);
  // In a statement after the lock, which sees what was committed while it was waited for.
  return credit && { ...credit, isTakenByLine: credit.reversed > 0n && (await partsOf(tx, creditId)).some(isOfLine) };
}

const parts = statement<Part>(`
  select reversal_id as "reversalId", bank_transfer_id as "bankTransferId", amount, bank_fee as "bankFee", bank_vat as "bankVat",
    admitted_at is not null as "isAdmitted"
  from inbound_reversals where credit_id = $1 and refused is null order by reversal_id`);
/** What was taken back of a credit, and what waits to be. */
export const partsOf = (tx: Session, creditId: string) => parts(tx, [creditId]);
const isOfLine = ({ bankTransferId }: Part) => isReversalOfLine(bankTransferId);

const read = statement<ReversalRow>(
  `select ${COLUMNS} from inbound_reversals r where bank = $1 and mode = $2 and bank_transfer_id = $3`,
);
export async function readReversal(
  tx: Session,
  { bank, mode, bankTransferId }: Pick<Reversal, "bank" | "mode" | "bankTransferId">,
): Promise<ReversalRow | undefined> {
  return (await read(tx, [bank, mode, bankTransferId]))[0];
}

const insert = statement<{ reversal_id: string }>(`
  insert into inbound_reversals (reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount, bank_fee,
    bank_vat, session_id, settlement_id, reversed_at, received_at, drive_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($12::timestamptz, time_of($13, $4)), now(), now())
  on conflict do nothing returning reversal_id`);

/** False if a concurrent duplicate was first. `merchantId` is that of the credit, whose clock it is in test mode. */
export async function insertReversal(tx: Transaction, reversal: Reversal, merchantId: string | null): Promise<boolean> {
  const { reversalId, creditId, bank, mode, bankTransferId, accountNumber, amount } = reversal;
  const { bankFee = 0n, bankVat = 0n, sessionId, settlementId, paidAt } = reversal;
  const inserted = await insert(tx, [
    ...[reversalId, creditId, bank, mode, bankTransferId, accountNumber, amount, bankFee, bankVat],
    ...[sessionId, settlementId, paidAt, merchantId],
  ]);
  return inserted.length > 0;
}

const lockWaiting = statement<ReversalRow>(`
  select ${COLUMNS} from inbound_reversals r where reversal_id = $1 and admitted_at is null and refused is null for update`);

/** Locks a reversal that is not decided on; undefined if it is. */
export const lockUndecided = async (tx: Transaction, reversalId: string) => (await lockWaiting(tx, [reversalId]))[0];

const take = statement("update inbound_transfers set reversed = reversed + $2 where intake_id = $1");
const admit = statement(`
  update inbound_reversals set admitted_at = now(), reversed_before = $2, merchant_id = $3, account_number = $4, drives = 0, drive_at = now() + interval '30 seconds'
  where reversal_id = $1 and admitted_at is null`);

/** Under the lock of the credit. */
export async function admitReversal(
  tx: Transaction,
  { reversalId, creditId, amount }: Pick<Reversal, "reversalId" | "creditId" | "amount">,
  credit: Credit,
): Promise<void> {
  await take(tx, [creditId, amount]);
  await admit(tx, [reversalId, credit.reversed, credit.merchantId, credit.accountNumber]);
}

const refuse = statement(
  "update inbound_reversals set refused = $2, completed_at = now() where reversal_id = $1 and admitted_at is null",
);
export const refuseReversal = (tx: Transaction, reversalId: string, reason: string) => refuse(tx, [reversalId, reason]);

const miss = statement<{ reversal_id: string }>(`
  update inbound_reversals set missed_at = now()
  where reversal_id = $1 and missed_at is null and received_at < now() - interval '${CREDIT_DUE}' returning reversal_id`);

/** Marks a reversal whose credit is overdue. True once: when it is quarantined. */
export async function missCredit(tx: Transaction, reversalId: string): Promise<boolean> {
  return (await miss(tx, [reversalId])).length > 0;
}

const claim = statement<{ reversalId: string; creditId: string; isAdmitted: boolean }>(`
  update inbound_reversals r set drives = drives + 1, drive_at = now() + interval '1 second'
    * case when admitted_at is null then least(power(2, least(drives, 20)), case when missed_at is null then 60 else 300 end)
        when allocated_at is not null then least(power(2, least(drives, 20)), 3600)
        else least(30 * power(2, least(drives, 20)), 3600) end
  where reversal_id = any(array(
    select reversal_id from inbound_reversals where completed_at is null and drive_at <= now()
    order by drive_at limit $1 for update skip locked))
  returning reversal_id as "reversalId", credit_id as "creditId", admitted_at is not null as "isAdmitted"`);

/**
 * Claims what is due, the longest due first. A reversal that waits for its credit is looked at after 1 s, doubling to a minute, and
 * every five once it is quarantined; one on its way is driven after 30 s, doubling to an hour, or from 1 s on if it waits for an allocation.
 */
export const claimDueReversals = (pool: Pool, limit: number) => claim(pool, [limit]);

/** With whether the credit is at the end of its path: one that was allocated is on its way once more. */
export type DrivenReversal = ReversalRow & { isCreditComplete: boolean };
const admitted = statement<DrivenReversal>(`
  select ${COLUMNS}, t.completed_at is not null as "isCreditComplete"
  from inbound_reversals r join inbound_transfers t on t.intake_id = r.credit_id
  where r.reversal_id = any($1::text[]) and r.admitted_at is not null and r.closed_at is null`);
export const readAdmitted = (pool: Session, reversalIds: string[]) => admitted(pool, [reversalIds]);

export type RecordedReversal = {
  intakeId: string;
  reference: string;
  sequence: number;
  deliveryNumber: number | null;
  recordedAt: string;
};
const complete = statement(`
  update inbound_reversals r set completed_at = now(), reference = n.reference, sequence = n.sequence,
    delivery_number = n.delivery_number, recorded_at = n.recorded_at
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[])
    as n (reversal_id, reference, sequence, delivery_number, recorded_at)
  where r.reversal_id = n.reversal_id and r.merchant_id is not null and r.completed_at is null`);
export async function completeReversals(tx: Session, recorded: RecordedReversal[]): Promise<void> {
  await complete(tx, columns(recorded, "intakeId", "reference", "sequence", "deliveryNumber", "recordedAt"));
}

/** Completes reversals that are booked against suspense. One whose credit was allocated meanwhile stays unfinished. */
const completeOfSuspense = statement(`
  update inbound_reversals set completed_at = now()
  where reversal_id = any($1::text[]) and merchant_id is null and admitted_at is not null and completed_at is null`);
export const completeSuspenseReversals = (tx: Session, reversalIds: string[]) => completeOfSuspense(tx, [reversalIds]);

import type { Metadata, Mode } from "@collect/contracts";
import { columns, type Session, statement, type Transaction } from "@collect/database";
import { PAID_AT_BOUNDS, type ReportedTransfer } from "../domain/intake.ts";

export type TransferRow = {
  intakeId: string;
  bank: string;
  bankTransferId: string;
  narration: string | null;
  mode: Mode;
  accountNumber: string;
  amount: bigint;
  currency: "NGN";
  payerName: string;
  payerAccountNumber: string | null;
  payerBankName: string | null;
  paidAt: string;
  receivedAt: string;
  merchantId: string | null;
  customerReference: string | null;
  customerName: string | null;
  /** The account's at that time; null without any. */
  metadata: Metadata | null;
  allocatedAt: string | null;
  completedAt: string | null;
  bankFee: bigint;
  bankVat: bigint;
  sessionId: string | null;
  settlementId: string | null;
};

/** Of `inbound_transfers t`. */
export const TRANSFER_COLUMNS = `t.intake_id as "intakeId", t.bank, t.narration, t.bank_transfer_id as "bankTransferId", t.mode, t.account_number as "accountNumber", t.amount, t.currency,
  t.payer_name as "payerName", t.payer_account_number as "payerAccountNumber", t.payer_bank_name as "payerBankName",
  t.paid_at as "paidAt", t.received_at as "receivedAt", t.merchant_id as "merchantId",
  t.customer_reference as "customerReference", t.customer_name as "customerName", t.metadata,
  t.allocated_at as "allocatedAt", t.completed_at as "completedAt", t.bank_fee as "bankFee", t.bank_vat as "bankVat",
  t.session_id as "sessionId", t.settlement_id as "settlementId"`;

/** The sweep waits this long before it redrives a new transfer. */
const FIRST_DRIVE = "interval '30 seconds'";

/**
 * Whether the bank that reported `i` holds account `a`. Another bank can have the same digits: its money is not for this owner.
 * `own` is the bank of the accounts of this mode that are stored without a partner.
 */
export const isHeldBy = (i: string, a: string, own: string) => `coalesce(${a}.partner, ${own}) = ${i}.bank`;

/** The same, unless the report names another request than that under which the account was issued: it is another account of the bank's. */
const isPaidInto = (i: string, a: string, own: string) =>
  `${isHeldBy(i, a, own)} and coalesce(${i}.reservation = ${a}.issue_request_id, true)`;

/** A time of a bank that cannot be: what it decides, such as which session was meant, is then decided by the receipt. Merchants choose those of test money. */
const PLAUSIBLY_PAID = `case when i.mode = 'test' or i.paid_at between now() - interval '${PAID_AT_BOUNDS.beforeDays} days' and now() + interval '${PAID_AT_BOUNDS.afterDays} days'
    then i.paid_at end`;

/**
 * Inserts new transfers with the account's current owner, and returns only those; none whose session was offered under another id
 * (`store/missed-transfers.ts`), and until it commits no such offer is made. An account number is in at most one of the
 * two tables; a merchant's own account has no customer. A concurrent duplicate has the same intake id too, so every index may
 * decide the conflict: with one named, the other would raise an error.
 */
const insert = statement<TransferRow>(`
  insert into inbound_transfers as t (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency,
    payer_name, payer_account_number, payer_bank_name, narration, paid_at, received_at, drive_at,
    merchant_id, customer_reference, customer_name, metadata, account_retired, bank_fee, bank_vat, session_id, settlement_id)
  select i.intake_id, i.bank, i.mode, i.bank_transfer_id, i.account_number, i.amount, i.currency, i.payer_name,
    i.payer_account_number, i.payer_bank_name, i.narration, coalesce(${PLAUSIBLY_PAID}, time_of(coalesce(a.merchant_id, own.merchant_id), i.mode)), now(), now() + ${FIRST_DRIVE},
    coalesce(a.merchant_id, own.merchant_id), a.customer_reference, a.customer_name, nullif(a.metadata, '{}'), coalesce(a.status = 'retired', false),
    i.bank_fee, i.bank_vat, i.session_id, i.settlement_id
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[],
      $13::bigint[], $14::bigint[], $15::text[], $16::text[], $18::text[])
    as i (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name, payer_account_number, payer_bank_name, narration, paid_at,
      bank_fee, bank_vat, session_id, settlement_id, reservation)
  left join customer_accounts a on a.mode = i.mode and a.account_number = i.account_number and ${isPaidInto("i", "a", "$17")}
  left join collection_accounts own on own.mode = i.mode and own.account_number = i.account_number and ${isPaidInto("i", "own", "$17")}
  where i.intake_id <> all (array(select offered_elsewhere($1, $2, $3, $15)))
  order by i.bank, i.mode, i.bank_transfer_id
  on conflict do nothing
  returning ${TRANSFER_COLUMNS}`);

export type Intake = ReportedTransfer & { intakeId: string };

export async function insertTransfers(
  tx: Session,
  transfers: Intake[],
  own: string | null,
): Promise<Map<string, TransferRow>> {
  const payers = transfers.map(({ payer }) => payer);
  const rows = await insert(tx, [
    ...columns(transfers, "intakeId", "bank", "mode", "bankTransferId", "accountNumber", "amount", "currency"),
    ...columns(payers, "name", "accountNumber", "bankName"),
    ...columns(transfers, "narration", "paidAt"),
    transfers.map(({ bankFee = 0n }) => bankFee),
    transfers.map(({ bankVat = 0n }) => bankVat),
    ...columns(transfers, "sessionId", "settlementId"),
    own,
    transfers.map(({ reservation }) => reservation ?? null),
  ]);
  return byIntakeId(rows);
}

const contradicting = statement<{ intake_id: string }>(`
  select i.intake_id from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as i (intake_id, bank, mode, account_number)
  where exists (select from customer_accounts a where a.mode = i.mode and a.account_number = i.account_number and ${isHeldBy("i", "a", "$5")})
    or exists (select from collection_accounts a where a.mode = i.mode and a.account_number = i.account_number and ${isHeldBy("i", "a", "$5")})`);
/** Those of transfers without an owner whose number is that of an account of the bank's: it was issued under another request. */
export async function paidIntoAnother(tx: Session, transfers: Intake[], own: string | null): Promise<Set<string>> {
  const rows = await contradicting(tx, [...columns(transfers, "intakeId", "bank", "mode", "accountNumber"), own]);
  return new Set(rows.map(({ intake_id }) => intake_id));
}

const read = statement<TransferRow>(
  `select ${TRANSFER_COLUMNS} from inbound_transfers t where t.intake_id = any($1::text[])`,
);
export async function readTransfers(tx: Session, intakeIds: string[]): Promise<Map<string, TransferRow>> {
  return byIntakeId(intakeIds.length === 0 ? [] : await read(tx, [intakeIds]));
}

const byIntakeId = (rows: TransferRow[]) => new Map(rows.map((row) => [row.intakeId, row]));

/**
 * A known id with other content, a currency we do not support, or a report other than a credit: quarantined, counted, and never
 * credited automatically. It is shown to the merchant whose account it was for. A repeat for another reason records both.
 */
const quarantine = statement(`
  insert into quarantined_transfers as q
    (bank, mode, bank_transfer_id, account_number, amount, currency, reason, received_at, merchant_id, times)
  select i.bank, i.mode, i.bank_transfer_id, i.account_number, i.amount, i.currency, string_agg(distinct i.reason, '; '), now(),
    min(coalesce(a.merchant_id, own.merchant_id)), count(*)
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $9::text[])
    as i (bank, mode, bank_transfer_id, account_number, amount, currency, reason, reservation)
  left join customer_accounts a on a.mode = i.mode and a.account_number = i.account_number and ${isPaidInto("i", "a", "$8")}
  left join collection_accounts own on own.mode = i.mode and own.account_number = i.account_number and ${isPaidInto("i", "own", "$8")}
  group by i.bank, i.mode, i.bank_transfer_id, i.account_number, i.amount, i.currency
  order by i.bank, i.mode, i.bank_transfer_id, i.account_number, i.amount, i.currency
  on conflict (bank, mode, bank_transfer_id, account_number, amount, currency)
    do update set times = q.times + excluded.times,
      reason = case when strpos(q.reason, excluded.reason) > 0 then q.reason else left(q.reason || '; ' || excluded.reason, 1000) end,
      merchant_id = coalesce(q.merchant_id, excluded.merchant_id)`);

export async function quarantineTransfers(
  tx: Session,
  transfers: (ReportedTransfer & { reason: string })[],
  own: string | null,
): Promise<void> {
  if (transfers.length === 0) return;
  await quarantine(tx, [
    ...columns(transfers, "bank", "mode", "bankTransferId", "accountNumber", "amount", "currency", "reason"),
    own,
    transfers.map(({ reservation }) => reservation ?? null),
  ]);
}

/**
 * Completes the intake rows of recorded events: the sweep no longer redrives them. Repeats change nothing: the reference is
 * already set. (With a condition on completed_at PostgreSQL could scan the index of all unfinished rows for each batch.)
 * It commits asynchronously (synchronous_commit = off): after a lost commit the sweep redrives the transfer once more.
 */
const complete = statement(`
  update inbound_transfers t set completed_at = now(), reference = r.reference, sequence = r.sequence, delivery_number = r.delivery_number,
    recorded_at = r.recorded_at, body_hash = decode(r.body_hash, 'hex')
  from (select set_config('synchronous_commit', 'off', true)) as lazily,
    unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::text[])
      as r (intake_id, reference, sequence, delivery_number, recorded_at, body_hash)
  where t.intake_id = r.intake_id and t.merchant_id is not null and t.reference is null`);

export type Recorded = {
  intakeId: string;
  reference: string;
  sequence: number;
  deliveryNumber: number | null;
  recordedAt: string;
  /** SHA-256 of the event's body in hexadecimal; not given by an earlier release. */
  bodyHash?: string | undefined;
};

const RECORDED = ["intakeId", "reference", "sequence", "deliveryNumber", "recordedAt", "bodyHash"] as const;

export async function completeTransfers(tx: Session, recorded: Recorded[]): Promise<void> {
  await complete(tx, columns(recorded, ...RECORDED));
}

/** Completes unallocated transfers that are booked to suspense. One that was allocated meanwhile stays unfinished. */
const completeSuspense = statement(`
  update inbound_transfers set completed_at = now()
  where intake_id = any($1::text[]) and merchant_id is null and completed_at is null`);
export async function completeUnallocated(tx: Session, intakeIds: string[]): Promise<void> {
  await completeSuspense(tx, [intakeIds]);
}

/** Money in suspense that is allocated is unfinished again until the merchant's event is recorded. */
const ON_ITS_WAY = `allocated_at = now(), completed_at = null, drives = 0, drive_at = now() + ${FIRST_DRIVE}`;
const IN_SUSPENSE = "t.merchant_id is null and t.completed_at is not null and t.reversed < t.amount";

const allocateToCustomer = statement<TransferRow>(`
  update inbound_transfers t
  set merchant_id = a.merchant_id, customer_reference = a.customer_reference, customer_name = a.customer_name,
    metadata = nullif(a.metadata, '{}'), ${ON_ITS_WAY}
  from customer_accounts a
  where t.intake_id = $1 and ${IN_SUSPENSE}
    and a.merchant_id = $2 and a.mode = $3 and a.customer_reference = $4 and a.mode = t.mode and a.status <> 'pending'
  returning ${TRANSFER_COLUMNS}`);

/** Without a customer the account determines the merchant. */
const allocateToMerchant = statement<TransferRow>(`
  update inbound_transfers t set merchant_id = own.merchant_id, ${ON_ITS_WAY}
  from collection_accounts own
  where t.intake_id = $1 and ${IN_SUSPENSE}
    and own.merchant_id = $2 and own.mode = $3 and own.mode = t.mode and own.account_number = t.account_number
    and own.status = 'active' and ${isHeldBy("t", "own", "$4")}
  returning ${TRANSFER_COLUMNS}`);

/** What was taken out of suspense of it is taken back from its owner, once the owner has it. */
const allocateReversals = statement(`
  update inbound_reversals set merchant_id = $2, allocated_at = now(), completed_at = null, drives = 0, drive_at = now()
  where credit_id = $1 and admitted_at is not null and merchant_id is null and closed_at is null`);

/**
 * Allocates money in suspense to its owner, once. Its reversals are read after it is locked: one that was admitted meanwhile
 * would otherwise stay with suspense.
 */
export async function allocateTransfer(
  tx: Transaction,
  intakeId: string,
  { merchantId, mode, customerReference }: { merchantId: string; mode: Mode; customerReference: string | undefined },
  own: string | null,
): Promise<TransferRow | undefined> {
  const [row] =
    customerReference === undefined
      ? await allocateToMerchant(tx, [intakeId, merchantId, mode, own])
      : await allocateToCustomer(tx, [intakeId, merchantId, mode, customerReference]);
  if (row) await allocateReversals(tx, [intakeId, merchantId]);
  return row;
}

import type { FieldError, MerchantScope } from "@collect/contracts";
import { columns, type Session, statement, type Transaction } from "@collect/database";
import type { FileLine } from "../domain/batch-file.ts";
import { lineReference } from "../domain/reference.ts";
import type { Batch, BatchLine, Open, Repeat } from "../domain/transfer-batch.ts";

/** The lines of files of transfers. */

/** Lines that are worked on at once, and stored together. */
export const LINES_AT_ONCE = 8;

const COLUMNS = `l.batch, l.line, l.amount, l.bank_code as "bankCode", l.bank_name as "bankName", l.account_number as "accountNumber",
  l.account_name as "accountName", l.name_withheld as "nameWithheld", l.narration, l.reference, l.faults, l.outcome, l.refusal, l.transfer`;

const insert = statement(`
  insert into transfer_batch_lines (batch, line, merchant_id, mode, amount, bank_code, account_number, narration, reference,
    has_own_reference, faults, checked)
  select $1, r.line, $2, $3, r.amount, r.bank_code, r.account_number, r.narration, r.reference, r.own, r.faults::jsonb, r.faults <> '[]'
  from unnest($4::integer[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::boolean[], $11::text[])
    as r (line, amount, bank_code, account_number, narration, reference, own, faults)`);

/** What has a fault already needs no further check. */
export async function insertLines(
  tx: Transaction,
  { reference, merchantId, mode }: Pick<Batch, "reference" | "merchantId" | "mode">,
  lines: FileLine[],
): Promise<void> {
  const rows = lines.map(({ ownReference, faults, ...line }) => ({
    ...line,
    reference: ownReference ?? lineReference(reference, line.line),
    own: ownReference !== null,
    faults: JSON.stringify(faults),
  }));
  const fields = columns(
    rows,
    "line",
    "amount",
    "bankCode",
    "accountNumber",
    "narration",
    "reference",
    "own",
    "faults",
  );
  await insert(tx, [reference, merchantId, mode, ...fields]);
}

const list = statement<BatchLine>(`
  select ${COLUMNS} from transfer_batch_lines l
  where batch = $1 and line > $2 and ($4::text is null or case $4 when 'faulty' then faults <> '[]' else outcome = 'refused' end)
  order by line limit $3`);

export const listLines = (
  session: Session,
  { batch, after, limit, only = null }: { batch: string; after: number; limit: number; only?: string | null },
) => list(session, [batch, after, limit, only]);

const unchecked = statement<BatchLine>(
  `select ${COLUMNS} from transfer_batch_lines l where batch = $1 and not checked order by attempts, line limit $2`,
);
/** Those that failed least often first, so that one bank's outage holds up no line of another bank. */
export const findUnchecked = (session: Session, batch: string, max: number) => unchecked(session, [batch, max]);

const unordered = statement<BatchLine>(
  `select ${COLUMNS} from transfer_batch_lines l where batch = $1 and outcome is null order by attempts, line limit $2`,
);
export const findUnordered = (session: Session, batch: string, max: number) => unordered(session, [batch, max]);

const fail = statement(
  "update transfer_batch_lines set attempts = attempts + 1 where batch = $1 and line = any($2::integer[])",
);
export const countFailures = async (session: Session, batch: string, lines: { line: number }[]) =>
  void (await fail(session, [batch, lines.map(({ line }) => line)]));

export type CheckedLine = Pick<BatchLine, "line" | "bankName" | "accountName" | "nameWithheld"> & {
  fault: FieldError | undefined;
};

const check = statement(`
  update transfer_batch_lines l set checked = true, attempts = 0, bank_name = r.bank_name, account_name = r.account_name,
    name_withheld = r.withheld, faults = l.faults || r.faults::jsonb
  from unnest($2::integer[], $3::text[], $4::text[], $5::boolean[], $6::text[]) as r (line, bank_name, account_name, withheld, faults)
  where l.batch = $1 and l.line = r.line and not l.checked`);

export async function storeChecked(tx: Session, batch: string, lines: CheckedLine[]): Promise<void> {
  const rows = lines.map(({ fault, ...line }) => ({ ...line, faults: JSON.stringify(fault ? [fault] : []) }));
  await check(tx, [batch, ...columns(rows, "line", "bankName", "accountName", "nameWithheld", "faults")]);
}

const lockSending = statement(
  "select from transfer_batches where reference = $1 and state = 'sending' and confirmed_at = $2 for share",
);
const lockLine = statement(
  "select from transfer_batch_lines where batch = $1 and line = $2 and outcome is null for share",
);

/**
 * Whether the line may be ordered, to the end of the transaction: its file is being sent by this confirmation, and it was neither ordered
 * nor refused. A process that slept meanwhile finds out here.
 */
export async function lockOpenLine(tx: Transaction, batch: Batch, line: number): Promise<boolean> {
  const { reference, confirmedAt } = batch;
  if ((await lockSending(tx, [reference, confirmedAt])).length === 0) return false;
  return (await lockLine(tx, [reference, line])).length > 0;
}

export type LineOutcome = Pick<BatchLine, "line" | "outcome" | "refusal" | "transfer">;

/** An order stands, and a report about an earlier confirmation comes too late. */
const settle = statement(`
  update transfer_batch_lines l set outcome = r.outcome, refusal = r.refusal, transfer = r.transfer
  from unnest($3::integer[], $4::text[], $5::text[], $6::text[]) as r (line, outcome, refusal, transfer), transfer_batches b
  where l.batch = $1 and l.line = r.line and l.outcome is distinct from 'ordered'
    and b.reference = $1 and b.state = 'sending' and b.confirmed_at = $2`);

export const storeOutcomes = async (tx: Session, { reference, confirmedAt }: Batch, lines: LineOutcome[]) =>
  void (await settle(tx, [reference, confirmedAt, ...columns(lines, "line", "outcome", "refusal", "transfer")]));

/** Unless the ledger refused it. */
const OWN_TRANSFER = `t.merchant_id = l.merchant_id and t.mode = l.mode and t.merchant_reference = l.reference and t.step <> 'refused'
    and t.amount = l.amount and t.bank_code = l.bank_code and t.account_number = l.account_number`;
const adopt = statement(`
  update transfer_batch_lines l set outcome = 'ordered', refusal = null, transfer = t.reference
  from transfers t
  where l.batch = $1 and l.transfer is null and l.faults = '[]' and ($2 or not l.has_own_reference)
    and ${OWN_TRANSFER} and t.step <> 'created'`);

/**
 * Lines whose transfer exists under their reference were ordered: by a process that died, before a restore, or from an earlier upload of
 * the same lines. `own`: also those whose reference is the file's, which says the same once the file was confirmed. Until the ledger has
 * reserved its money, a transfer may still be refused.
 */
export const adoptTransfers = async (tx: Session, { reference }: Batch, { own }: { own: boolean }): Promise<void> =>
  void (await adopt(tx, [reference, own]));

const refuse = statement(`
  update transfer_batch_lines l set outcome = 'refused', refusal = $2
  where l.batch = $1 and l.outcome is null and not exists (select from transfers t where ${OWN_TRANSFER})`);
/** But for those whose transfer the ledger decides about at this moment, or has reserved a moment ago. */
export const refuseOpenLines = async (tx: Transaction, batch: string, refusal: string) =>
  void (await refuse(tx, [batch, refusal]));

const open = statement<{ lines: number; total: bigint; largest: bigint }>(`
  select count(*)::integer as lines, coalesce(sum(amount), 0)::bigint as total, coalesce(max(amount), 0)::bigint as largest
  from transfer_batch_lines where batch = $1 and outcome is null`);
export async function sumOpenLines(session: Session, batch: string): Promise<Open> {
  const [sum] = await open(session, [batch]);
  return sum ?? { lines: 0, total: 0n, largest: 0n };
}

const uncheckedOfMerchant = statement<{ count: number }>(`
  select count(*)::integer as count from transfer_batches b join transfer_batch_lines l on l.batch = b.reference
  where b.merchant_id = $1 and b.mode = $2 and b.state = 'checking' and not l.checked`);
export async function countUnchecked(session: Session, { id, mode }: MerchantScope): Promise<number> {
  return (await uncheckedOfMerchant(session, [id, mode]))[0]?.count ?? 0;
}

/** By the account, to which few are paid: `+ 0` keeps an index by amount out, of which a payroll has many alike. */
const SAME_ORDER = "o.account_number = l.account_number and o.bank_code = l.bank_code and o.amount + 0 = l.amount";
/**
 * One range of transfers_of_account_idx, which is only for what names its condition: plans made on an empty table cannot tell
 * indexes apart by their columns, and would read all transfers of the merchant.
 */
const OF_ACCOUNT = `o.account_number <> '' and (o.account_number, o.merchant_id, o.mode) >= (l.account_number, $2, $3)
  and (o.account_number, o.merchant_id, o.mode) <= (l.account_number, $2, $3)`;
const ELSEWHERE = `o.merchant_id = $2 and o.mode = $3 and o.outcome is null and o.batch <> l.batch and other.confirmed_at is not null`;
const OTHER_LINES = "transfer_batch_lines o join transfer_batches other on other.reference = o.batch";
/** Apart (`offset 0`), without the outcome: the index of open lines by reference would be read as a whole for an account. */
const LINES_TO_ACCOUNT = `(select * from transfer_batch_lines
  where account_number = l.account_number and merchant_id = $2 and mode = $3 offset 0) o
  join transfer_batches other on other.reference = o.batch`;
/** As long as the file itself is there, however long it waited for its confirmation. */
const RECENT =
  "o.created_at > least(time_of($2, $3) - interval '7 days', b.created_at) and o.merchant_reference <> l.reference";
const repeats = statement<Repeat>(`
  select l.line, l.has_own_reference as "hasOwnReference", found.reference, found.at
  from transfer_batch_lines l join transfer_batches b on b.reference = l.batch cross join lateral (
    (select o.merchant_reference as reference, o.created_at as at from transfers o
      where l.has_own_reference and o.merchant_id = $2 and o.mode = $3 and o.merchant_reference = l.reference and o.step <> 'refused' limit 1)
    union all
    (select o.merchant_reference, o.created_at from transfers o
      where not l.has_own_reference and ${OF_ACCOUNT} and ${SAME_ORDER} and o.step not in ('created', 'refused')
        and o.status in ('pending', 'success') and ${RECENT} order by o.created_at desc limit 1)
    union all
    (select o.merchant_reference, o.created_at from transfers o
      where not l.has_own_reference and ${OF_ACCOUNT} and ${SAME_ORDER} and o.step = 'created' and ${RECENT} limit 1)
    union all
    (select o.reference, other.confirmed_at from ${OTHER_LINES} where l.has_own_reference and o.reference = l.reference and ${ELSEWHERE} limit 1)
    union all
    (select o.reference, other.confirmed_at from ${LINES_TO_ACCOUNT} where not l.has_own_reference and ${SAME_ORDER} and ${ELSEWHERE} limit 1)
    limit 1
  ) found
  where l.batch = $1 and l.outcome is not distinct from $4 and l.faults = '[]' and ($5::integer[] is null or l.line = any($5)) order by l.line`);

/**
 * The lines that an earlier transfer or a line of another confirmed file has paid, or is about to: by the reference, or, without
 * one, by account and amount. Of those that can still be ordered, or of those that were refused. Under the lock of the merchant's files,
 * so that of two files one sees the other.
 */
export const findRepeats = (
  session: Session,
  { reference, merchantId, mode }: Pick<Batch, "reference" | "merchantId" | "mode">,
  { outcome = null, lines = null }: { outcome?: "refused" | null; lines?: number[] | null } = {},
) => repeats(session, [reference, merchantId, mode, outcome, lines]);

const addFaults = statement(`
  update transfer_batch_lines l set faults = l.faults || jsonb_build_array(r.fault::jsonb)
  from unnest($2::integer[], $3::text[]) as r (line, fault) where l.batch = $1 and l.line = r.line and l.transfer is null`);

export const storeFaults = async (tx: Session, batch: string, faults: { line: number; fault: FieldError }[]) =>
  void (await addFaults(tx, [batch, faults.map(({ line }) => line), faults.map(({ fault }) => JSON.stringify(fault))]));

const reopen = statement<{ line: number }>(`
  update transfer_batch_lines set outcome = null, refusal = null, attempts = 0
  where batch = $1 and outcome = 'refused' and not line = any($2::integer[]) returning line`);

/** The refused lines, to be tried again, but for these. */
export const reopenRefused = async (tx: Transaction, batch: string, except: number[]): Promise<number> =>
  (await reopen(tx, [batch, except])).length;

const explain = statement(`
  update transfer_batch_lines l set refusal = r.refusal from unnest($2::integer[], $3::text[]) as r (line, refusal)
  where l.batch = $1 and l.line = r.line and l.outcome = 'refused'`);

/** Why refused lines stay refused. */
export const storeRefusals = async (tx: Transaction, batch: string, lines: { line: number; refusal: string }[]) =>
  void (await explain(tx, [batch, ...columns(lines, "line", "refusal")]));

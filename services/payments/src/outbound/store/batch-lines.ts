import type { FieldError, MerchantScope } from "@collect/contracts";
import { columns, type Session, statement, type Transaction } from "@collect/database";
import type { FileLine } from "../domain/batch-file.ts";
import { lineReference } from "../domain/reference.ts";
import type { Batch, BatchLine, Repeat } from "../domain/transfer-batch.ts";

/** The lines of files of transfers. */

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
  `select ${COLUMNS} from transfer_batch_lines l where batch = $1 and not checked order by line limit $2`,
);
export const findUnchecked = (session: Session, batch: string, max: number) => unchecked(session, [batch, max]);

const unordered = statement<BatchLine>(
  `select ${COLUMNS} from transfer_batch_lines l where batch = $1 and outcome is null order by line limit $2`,
);
export const findUnordered = (session: Session, batch: string, max: number) => unordered(session, [batch, max]);

export type CheckedLine = Pick<BatchLine, "line" | "bankName" | "accountName" | "nameWithheld"> & {
  fault: FieldError | undefined;
};

const check = statement(`
  update transfer_batch_lines l set checked = true, bank_name = r.bank_name, account_name = r.account_name,
    name_withheld = r.withheld, faults = l.faults || r.faults::jsonb
  from unnest($2::integer[], $3::text[], $4::text[], $5::boolean[], $6::text[]) as r (line, bank_name, account_name, withheld, faults)
  where l.batch = $1 and l.line = r.line and not l.checked`);

export async function storeChecked(tx: Session, batch: string, lines: CheckedLine[]): Promise<void> {
  const rows = lines.map(({ fault, ...line }) => ({ ...line, faults: JSON.stringify(fault ? [fault] : []) }));
  await check(tx, [batch, ...columns(rows, "line", "bankName", "accountName", "nameWithheld", "faults")]);
}

export type LineOutcome = Pick<BatchLine, "line" | "outcome" | "refusal" | "transfer">;

/** An order stands, whatever another process that tried the same line reports. */
const settle = statement(`
  update transfer_batch_lines l set outcome = r.outcome, refusal = r.refusal, transfer = r.transfer
  from unnest($2::integer[], $3::text[], $4::text[], $5::text[]) as r (line, outcome, refusal, transfer)
  where l.batch = $1 and l.line = r.line and l.outcome is distinct from 'ordered'`);

export const storeOutcomes = async (tx: Session, batch: string, lines: LineOutcome[]) =>
  void (await settle(tx, [batch, ...columns(lines, "line", "outcome", "refusal", "transfer")]));

/** The largest amount. */
const largest = statement<{ amount: bigint | null }>(
  "select max(amount) as amount from transfer_batch_lines where batch = $1",
);
export const largestLine = async (session: Session, batch: string): Promise<bigint> =>
  (await largest(session, [batch]))[0]?.amount ?? 0n;

/** By the account, to which few are paid: `+ 0` keeps the index by amount out, of which many have the same. */
const SAME_ORDER = "o.account_number = l.account_number and o.bank_code = l.bank_code and o.amount + 0 = l.amount";
const repeats = statement<Repeat>(`
  select l.line, l.has_own_reference as "hasOwnReference", found.reference, found.at
  from transfer_batch_lines l cross join lateral (
    (select o.merchant_reference as reference, o.created_at as at from transfers o
      where l.has_own_reference and o.merchant_id = $2 and o.mode = $3 and o.merchant_reference = l.reference and o.step <> 'refused' limit 1)
    union all
    (select o.merchant_reference, o.created_at from transfers o
      where not l.has_own_reference and o.merchant_id = $2 and o.mode = $3 and ${SAME_ORDER} and o.step not in ('created', 'refused')
        and o.status in ('pending', 'success') and o.created_at > time_of($2, $3) - interval '7 days' and o.merchant_reference <> l.reference
      order by o.created_at desc limit 1)
    union all
    (select o.reference, b.confirmed_at from transfer_batch_lines o join transfer_batches b on b.reference = o.batch
      where l.has_own_reference and o.reference = l.reference and o.merchant_id = $2 and o.mode = $3 and o.outcome is null
        and o.batch <> l.batch and b.confirmed_at is not null limit 1)
    union all
    (select o.reference, b.confirmed_at from transfer_batch_lines o join transfer_batches b on b.reference = o.batch
      where not l.has_own_reference and ${SAME_ORDER} and o.merchant_id = $2 and o.mode = $3 and o.outcome is null
        and o.batch <> l.batch and b.confirmed_at is not null limit 1)
    limit 1
  ) found
  where l.batch = $1 and l.transfer is null and l.faults = '[]' order by l.line`);

/**
 * The lines that an earlier transfer or a line of another confirmed file has paid, or is about to: by the reference, or, without
 * one, by account and amount within 7 days. Under the lock of the merchant's files, so that of two files one sees the other.
 */
export const findRepeats = (session: Session, { id, mode }: MerchantScope, batch: string) =>
  repeats(session, [batch, id, mode]);

const addFaults = statement(`
  update transfer_batch_lines l set faults = l.faults || jsonb_build_array(r.fault::jsonb)
  from unnest($2::integer[], $3::text[]) as r (line, fault) where l.batch = $1 and l.line = r.line and l.transfer is null`);

export const storeFaults = async (tx: Session, batch: string, faults: { line: number; fault: FieldError }[]) =>
  void (await addFaults(tx, [batch, faults.map(({ line }) => line), faults.map(({ fault }) => JSON.stringify(fault))]));

const reopen = statement<{ line: number }>(`
  update transfer_batch_lines set outcome = null, refusal = null
  where batch = $1 and outcome = 'refused' and faults = '[]' returning line`);

/** The refused lines, to be tried again. */
export const reopenRefused = async (tx: Transaction, batch: string): Promise<number> =>
  (await reopen(tx, [batch])).length;

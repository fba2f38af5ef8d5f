import type { CountedMinute, collectionPosted, Fact } from "@collect/contracts";
import { columns, type Pool, type Session, statement } from "@collect/database";
import { followCredits, restoreReversed } from "./reversal-recovery.ts";

/** What other services read from accounts after a restore, and what accounts restores from payments. */

type Position = { at: string; key: string };
type RecordedRow = {
  intake_id: string;
  sequence: bigint;
  delivery_number: bigint | null;
  recorded_at: string | null;
  at: string;
};

const recorded = statement<RecordedRow & { reference: string | null }>(`
  select intake_id, reference, sequence, delivery_number, recorded_at,
    to_char(completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"') as at
  from inbound_transfers
  where completed_at >= $1 and (completed_at, intake_id) > ($2::timestamptz, $3) and completed_at is not null
  order by completed_at, intake_id limit $4`);

/** The numbers of the events of transfers completed since then. Transfers completed in suspense have none. */
export async function recordedSince(
  pool: Pool,
  { since, after, limit }: { since: string; after: Position | null; limit: number },
) {
  const rows = await recorded(pool, [since, after?.at ?? "0001-01-01T00:00:00+00:00", after?.key ?? "", limit]);
  const last = rows.at(-1);
  return {
    rows: rows
      .filter(({ reference }) => reference !== null)
      .map(({ intake_id, sequence, delivery_number, recorded_at }) => ({
        ...{ intake_id, recorded_at, sequence: Number(sequence) },
        delivery_number: delivery_number === null ? null : Number(delivery_number),
      })),
    next: last && rows.length === limit ? { at: last.at, key: last.intake_id } : null,
  };
}

const first = statement<{ received_at: string }>(
  "select received_at from inbound_transfers where received_at >= $1 order by received_at limit 1",
);

/** Consecutive minutes form one span: an allocation after months must not include everything in between. */
const earlier = statement<{ from: string; to: string }>(`
  select min(minute) as "from", max(minute) + interval '1 minute' as "to"
  from (
    select minute, minute - row_number() over (order by minute) * interval '1 minute' as island
    from (
      select distinct date_trunc('minute', received_at, 'UTC') as minute from inbound_transfers
      where completed_at >= $1 and completed_at is not null and received_at < $1
    ) as minutes
  ) as islands
  group by island order by 1`);

/** When the transfers that were received or completed since then were received. */
export async function receivedSince(pool: Pool, since: string) {
  const [[row], spans] = await Promise.all([first(pool, [since]), earlier(pool, [since])]);
  return { received_at: row?.received_at ?? null, earlier: spans };
}

type Posted = Fact<typeof collectionPosted>;

/**
 * Restores transfers that this database has lost, as they were accepted: they are redriven, which completes them. Transfers
 * allocated since are allocated again.
 */
const restore = statement(`
  insert into inbound_transfers as t (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name,
    payer_account_number, payer_bank_name, narration, paid_at, received_at, merchant_id, customer_reference, customer_name,
    bank_fee, bank_vat, session_id, settlement_id, allocated_at, restored_at, drive_at)
  select intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name, payer_account_number,
    payer_bank_name, narration, paid_at, received_at, merchant_id, customer_reference, customer_name,
    coalesce(bank_fee, 0), coalesce(bank_vat, 0), session_id, settlement_id, case when allocated then now() end,
    clock_timestamp(), now()
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[], $14::text[], $15::text[], $16::text[], $17::boolean[],
    $18::bigint[], $19::bigint[], $20::text[], $21::text[])
    as i (intake_id, bank, mode, bank_transfer_id, account_number, amount, currency, payer_name, payer_account_number,
      payer_bank_name, narration, paid_at, received_at, merchant_id, customer_reference, customer_name, allocated,
      bank_fee, bank_vat, session_id, settlement_id)
  order by bank, mode, bank_transfer_id
  on conflict (bank, mode, bank_transfer_id) do update set merchant_id = excluded.merchant_id,
    customer_reference = excluded.customer_reference, customer_name = excluded.customer_name, allocated_at = now(),
    completed_at = null, drives = 0, drive_at = now()
    where t.merchant_id is null and excluded.allocated_at is not null`);

/** In one transaction: a transfer that has its owner again is not looked at a second time. */
export async function restoreTransfers(tx: Session, intakes: Posted[]): Promise<void> {
  const rows = intakes.flatMap(({ source, merchant, payer, customer, ...intake }) =>
    source
      ? [
          {
            ...{ ...intake, ...source, merchantId: merchant.id, mode: merchant.mode },
            ...{ payerName: payer.name, payerAccountNumber: payer.accountNumber, payerBankName: payer.bankName },
            ...{ customerReference: customer?.reference ?? null, customerName: customer?.name ?? null },
          },
        ]
      : [],
  );
  if (rows.length === 0) return;
  await restore(tx, [
    ...columns(rows, "intakeId", "bank", "mode", "bankTransferId", "accountNumber", "amount", "currency", "payerName"),
    ...columns(rows, "payerAccountNumber", "payerBankName", "narration", "paidAt", "receivedAt", "merchantId"),
    ...columns(
      rows,
      "customerReference",
      "customerName",
      "allocated",
      "bankFee",
      "bankVat",
      "sessionId",
      "settlementId",
    ),
  ]);
  const intakeIds = rows.map(({ intakeId }) => intakeId);
  await restoreReversed(tx, intakeIds);
  await followCredits(tx, intakeIds);
}

const suspended = statement<{ intake_id: string; received_at: string }>(`
  select intake_id, received_at from inbound_transfers
  where merchant_id is null and received_at < $1 and (received_at, intake_id) > ($2::timestamptz, $3)
  order by received_at, intake_id limit $4`);

/** A page of what was received before that time and has no owner here. */
export async function suspendedBefore(
  pool: Pool,
  { before, after, limit }: { before: string; after: Position | null; limit: number },
) {
  const found = await suspended(pool, [before, after?.at ?? "0001-01-01T00:00:00+00:00", after?.key ?? "", limit]);
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    rows: found.map(({ intake_id }) => intake_id),
    next: last ? { at: last.received_at, key: last.intake_id } : null,
  };
}

const missing = statement<{ intake_id: string }>(`
  select unnest($1::text[]) as intake_id
  except select intake_id from inbound_transfers where intake_id = any($1::text[]) and merchant_id is not null`);
/** Those of the transfers that have no row or no owner here. */
export const missingTransfers = async (tx: Session, intakeIds: string[]): Promise<string[]> =>
  (await missing(tx, [intakeIds])).map(({ intake_id }) => intake_id);

const count = statement<CountedMinute>(`
  select t.mode, k.kind, date_trunc('minute', t.received_at, 'UTC') as minute, count(*)::integer as count,
    sum(t.amount)::bigint as sum
  from inbound_transfers t
  cross join lateral (
    select 'collection' as kind where t.merchant_id is not null
    union all select 'suspense' where t.merchant_id is null or t.allocated_at is not null
  ) as k
  where t.received_at >= $1 and t.received_at < $2 group by 1, 2, 3`);

/** Count and sum for each minute in [from, to). Allocated money counts as suspense and as a collection. */
export const countMinutes = (pool: Pool, { from, to }: { from: string; to: string }): Promise<CountedMinute[]> =>
  count(pool, [from, to]);

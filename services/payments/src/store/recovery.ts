import type {
  CountedMinute,
  collectionPosted,
  collectionSucceeded,
  Fact,
  listTransferReserves,
  MerchantScope,
  Mode,
  WireResult,
} from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import type { Transfer } from "../domain/transfer.ts";
import { TRANSFER_COLUMNS } from "./transfers.ts";

/** What other services learn from payments after a restore, and what payments learns from them. */

export type Place = { at: string; key: string };
const BEGINNING = { at: "0001-01-01T00:00:00+00:00", key: "" };

const touched = statement<Transfer & { at: string }>(`
  select ${TRANSFER_COLUMNS}, to_char(t.touched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from transfers t
  where t.touched_at >= $1 and (t.touched_at, t.reference) > ($2::timestamptz, $3)
  order by t.touched_at, t.reference limit $4`);

/** Transfers that changed since then, in the order in which they last did. */
export function touchedTransfers(pool: Pool, given: { since: string; after: Place | null; limit: number }) {
  const { at, key } = given.after ?? BEGINNING;
  return touched(pool, [given.since, at, key, given.limit]);
}

export type NumberRow = {
  key: string;
  merchantId: string;
  mode: Mode;
  sequence: bigint;
  deliveryNumber: bigint | null;
  recordedAt: string;
  at: string;
};
const numbers = statement<NumberRow>(`
  select key, merchant_id as "merchantId", mode, sequence, delivery_number as "deliveryNumber", recorded_at as "recordedAt",
    to_char(kept_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from event_numbers where kept_at >= $1 and (kept_at, key) > ($2::timestamptz, $3) order by kept_at, key limit $4`);

export function eventNumbers(pool: Pool, given: { since: string; after: Place | null; limit: number }) {
  const { at, key } = given.after ?? BEGINNING;
  return numbers(pool, [given.since, at, key, given.limit]);
}

const byReference = statement<Transfer>(
  `select ${TRANSFER_COLUMNS} from transfers t where reference = any($1::text[])`,
);
export const readTransfers = (pool: Pool, references: string[]): Promise<Transfer[]> => byReference(pool, [references]);

type CollectionFact = {
  intakeId: string;
  merchantId: string;
  mode: Mode;
  accountNumber: string;
  customerReference: string | null;
  customerName: string | null;
  amount: bigint;
  currency: "NGN";
  fee: bigint;
  net: bigint;
  reference: string;
  paymentReference: string | null;
  merchantReference: string | null;
  payerName: string;
  payerAccountNumber: string;
  payerBankName: string;
  paidAt: string;
  receivedAt: string;
  postedAt: string;
  source: Fact<typeof collectionPosted>["source"] | null;
};
const FACT = `select c.intake_id as "intakeId", c.merchant_id as "merchantId", c.mode, c.account_number as "accountNumber",
    c.customer_reference as "customerReference", c.customer_name as "customerName", c.amount, c.currency, c.fee, c.net,
    c.reference, c.payment_reference as "paymentReference", c.merchant_reference as "merchantReference",
    p.name as "payerName", p.account_number as "payerAccountNumber", p.bank_name as "payerBankName",
    c.paid_at as "paidAt", c.received_at as "receivedAt", c.posted_at as "postedAt", c.source
  from collections c join payers p on p.id = c.payer_id`;

const factsById = statement<CollectionFact>(`${FACT} where c.intake_id = any($1::text[])`);
const factsByReceipt = statement<CollectionFact>(`${FACT}
  where c.received_at >= $1 and c.received_at < $2 and c.intake_id > $3 order by c.intake_id limit $4`);

/** As they were first published to webhooks. */
export async function succeededFacts(pool: Pool, intakeIds: string[]): Promise<Fact<typeof collectionSucceeded>[]> {
  return (await factsById(pool, [intakeIds])).map((row) => ({
    ...commonOf(row),
    reference: row.reference,
    paymentReference: row.paymentReference,
    merchantReference: row.merchantReference,
    payerDetailsName: row.customerReference === null ? row.customerName : null,
  }));
}

type Posted = Fact<typeof collectionPosted>;

/** As the ledger published them, but for what only the ledger knows. */
export async function intakesOf(pool: Pool, intakeIds: string[]): Promise<Posted[]> {
  return (await factsById(pool, [intakeIds])).map(postedOf);
}
export async function intakesReceived(
  pool: Pool,
  { from, to, after, limit }: { from: string; to: string; after: string; limit: number },
): Promise<Posted[]> {
  return (await factsByReceipt(pool, [from, to, after, limit])).map(postedOf);
}

const postedOf = (row: CollectionFact): Posted => ({
  ...commonOf(row),
  source: row.source ?? undefined,
  feeBasisPoints: 0,
  transactionId: row.intakeId,
});

function commonOf(row: CollectionFact) {
  const { intakeId, merchantId, mode, accountNumber, amount, currency, fee, net, paidAt, receivedAt, postedAt } = row;
  return {
    ...{ intakeId, merchant: { id: merchantId, mode }, accountNumber, amount, currency, fee, net },
    ...{ paidAt, receivedAt, postedAt },
    customer:
      row.customerReference === null ? null : { reference: row.customerReference, name: row.customerName ?? "" },
    payer: {
      name: row.payerName,
      accountNumber: row.payerAccountNumber || null,
      bankName: row.payerBankName || null,
    },
  };
}

const oldest = statement<{ at: string | null }>(
  // A minute early: the ledger decided by a clock of its own.
  "select least($1::timestamptz, min(created_at) - interval '1 minute') as at from transfers where step in ('created', 'reserved')",
);
/** What was decided about transfers since then may be unknown here: that of every one that was not sent yet, too. */
export async function unsureSince(pool: Pool, restoredTo: string): Promise<string> {
  const [row] = await oldest(pool, [restoredTo]);
  return row?.at ?? restoredTo;
}

type Reserve = WireResult<typeof listTransferReserves>["rows"][number];

const learn = statement(`
  insert into transfers (reference, merchant_id, mode, amount, merchant_reference, bank_code, bank_name, account_number,
    account_name, narration, created_at, step, sent_at, next_at)
  select reference, merchant_id, mode, amount, merchant_reference, bank_code, bank_name, account_number, account_name,
    narration, created_at, case when reserved then 'sending' else 'refused' end,
    case when reserved then clock_timestamp() end, case when reserved then clock_timestamp() end
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[], $12::boolean[]) as r (reference, merchant_id, mode, amount, merchant_reference, bank_code,
    bank_name, account_number, account_name, narration, created_at, reserved)
  order by reference
  on conflict do nothing`);

/** From here on the bank is only asked: it may have been called by what was lost. */
const suspect = statement(`
  update transfers set step = 'sending', sent_at = clock_timestamp(), attempts = 0, next_at = clock_timestamp()
  where step = $1 and (step = 'reserved' or reference = any($2::text[]))`);
const refuse = statement(
  "update transfers set step = 'refused', next_at = null where reference = any($1::text[]) and step = $2",
);

/**
 * Transfers that the ledger knows and this database has lost, each at the step from which it can only be asked about. Gives the
 * ids of those with money that cannot be named, because an older release reserved them without their order.
 */
export async function learnTransfers(pool: Pool, reserves: Reserve[]): Promise<string[]> {
  const rows = reserves.flatMap(({ transfer_id, merchant, amount, reserved, order }) =>
    order ? [{ transfer_id, amount, reserved, merchant_id: merchant.id, mode: merchant.mode, ...order }] : [],
  );
  const fields = [
    "transfer_id",
    "merchant_id",
    "mode",
    "amount",
    "merchant_reference",
    "bank_code",
    "bank_name",
  ] as const;
  const others = ["account_number", "account_name", "narration", "created_at", "reserved"] as const;
  const ids = (decided: boolean) => reserves.filter(({ reserved }) => reserved === decided).map((r) => r.transfer_id);
  // A refusal leaves its reference to the next try, which may be one of the lost.
  await refuse(pool, [ids(false), "created"]);
  await learn(pool, columns(rows, ...fields, ...others));
  await suspect(pool, ["created", ids(true)]);
  const known = new Set((await readTransfers(pool, ids(true))).map(({ reference }) => reference));
  return ids(true).filter((id) => !known.has(id));
}

export async function suspectReserved(pool: Pool): Promise<void> {
  await suspect(pool, ["reserved", []]);
}

const keep = statement(`
  insert into event_numbers (key, merchant_id, mode, sequence, delivery_number, recorded_at)
  values ($1, $2, $3, $4, $5, $6) on conflict (key) do nothing`);
export async function keepTestNumber(
  pool: Pool,
  event: {
    key: string;
    merchant: MerchantScope;
    sequence: number;
    delivery_number: number | null;
    recorded_at: string;
  },
): Promise<void> {
  const { key, merchant, sequence, delivery_number, recorded_at } = event;
  await keep(pool, [key, merchant.id, merchant.mode, sequence, delivery_number, recorded_at]);
}

const count = statement<CountedMinute>(`
  select mode, 'collection' as kind, date_trunc('minute', received_at, 'UTC') as minute,
    count(*)::integer as count, sum(amount)::bigint as sum
  from collections where received_at >= $1 and received_at < $2 group by 1, 3`);

/** What payments holds of every minute of [from, to) in which money was received. */
export const countMinutes = (pool: Pool, { from, to }: { from: string; to: string }): Promise<CountedMinute[]> =>
  count(pool, [from, to]);

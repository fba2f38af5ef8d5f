import { collectionPosted, type Fact, type Metadata, type Mode } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";
import { z } from "zod";

export type NewCollection = Omit<Fact<typeof collectionPosted>, "metadata"> & {
  payerId: bigint;
  reference: string;
  paymentReference: string | null;
  merchantReference: string | null;
  /** When it was received by the merchant's test clock, if that is ahead; not stored. */
  clockedAt?: string | undefined;
  /** The payer's name, when the collection has no customer of the merchant. */
  payerDetailsName: string | null;
  /** The session's or the customer account's; null if it is unknown to the event that is already recorded. */
  metadata: Metadata | null;
};

/** A collection as it was recorded. */
export type CollectionRow = {
  intakeId: string;
  reference: string;
  merchantId: string;
  mode: Mode;
  amount: bigint;
  customerName: string | null;
  paymentReference: string | null;
  merchantReference: string | null;
  /** Null where an earlier release decided. */
  metadata: Metadata | null;
};

/**
 * A column as it was when the collection was recorded, which is what its event says. Only what matched nothing can be attached, so
 * what attaching has set was null before; metadata that was known was empty.
 */
export const asRecorded = (column: string) => `case when attached_at is null then ${column} end`;
export const METADATA_AS_RECORDED = `case when attached_at is null or metadata is null then metadata else '{}' end`;

const COLUMNS = `intake_id as "intakeId", reference, merchant_id as "merchantId", mode, amount,
  ${asRecorded("customer_name")} as "customerName", ${asRecorded("payment_reference")} as "paymentReference",
  ${asRecorded("merchant_reference")} as "merchantReference", ${METADATA_AS_RECORDED} as metadata`;

const insert = statement<CollectionRow>(`
  insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, customer_name,
    payer_id, amount, fee, net, currency, paid_at, received_at, posted_at, payment_reference, merchant_reference, source,
    metadata, created_at)
  select c.*, time_of(c.merchant_id, c.mode) from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::timestamptz[], $14::timestamptz[],
    $15::timestamptz[], $16::text[], $17::text[], $18::jsonb[], $19::jsonb[])
    as c (intake_id, reference, merchant_id, mode)
  order by c.intake_id
  on conflict (intake_id) do nothing
  returning ${COLUMNS}`);

/** Inserts the collections and returns the rows of those that were not claimed before. */
export async function insertCollections(tx: Session, collections: NewCollection[]): Promise<CollectionRow[]> {
  if (collections.length === 0) return [];
  const merchants = collections.map(({ merchant }) => merchant);
  const customers = collections.map(({ customer, payerDetailsName }) => ({
    reference: customer?.reference ?? null,
    name: customer?.name ?? payerDetailsName,
  }));
  return insertRows(tx, [
    ...columns(collections, "intakeId", "reference"),
    ...columns(merchants, "id", "mode"),
    ...columns(collections, "accountNumber"),
    ...columns(customers, "reference", "name"),
    ...columns(collections, "payerId", "amount", "fee", "net", "currency", "paidAt", "receivedAt", "postedAt"),
    ...columns(collections, "paymentReference", "merchantReference"),
    collections.map(({ source }) =>
      source ? JSON.stringify(z.encode(collectionPosted.data.shape.source, source)) : null,
    ),
    collections.map(({ metadata }) => (metadata ? JSON.stringify(metadata) : null)),
  ]);
}

async function insertRows(tx: Session, values: unknown[]): Promise<CollectionRow[]> {
  try {
    return await insert(tx, values);
  } catch (error) {
    const isPayerGone = error instanceof Error && "constraint" in error && error.constraint === PAYER_KEY;
    throw isPayerGone ? new PayerErased("a payer was erased in between", { cause: error }) : error;
  }
}

const PAYER_KEY = "collections_payer_id_fkey";
/** The last other collection of a payer was erased, and the payer deleted, after its id was read. The batch reads it again. */
class PayerErased extends Error {
  /** serialization_failure: the caller retries. */
  readonly code = "40001";
}

const read = statement<CollectionRow>(`select ${COLUMNS} from collections where intake_id = any($1::text[])`);

export async function readCollections(tx: Session, intakeIds: string[]): Promise<CollectionRow[]> {
  return intakeIds.length === 0 ? [] : read(tx, [intakeIds]);
}

/**
 * The row of every collection, whether this call or an earlier one claimed it. Rows that existed are read back in a
 * second statement: a concurrent duplicate may have committed in between.
 */
export async function claimCollections(tx: Session, collections: NewCollection[]): Promise<CollectionRow[]> {
  const claimed = await insertCollections(tx, collections);
  const known = new Set(claimed.map(({ intakeId }) => intakeId));
  const repeats = collections.map(({ intakeId }) => intakeId).filter((intakeId) => !known.has(intakeId));
  return [...claimed, ...(await readCollections(tx, repeats))];
}

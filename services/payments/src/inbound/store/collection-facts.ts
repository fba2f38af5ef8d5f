import {
  type CountedMinute,
  collectionPosted,
  type collectionSucceeded,
  type Fact,
  type Metadata,
  type Mode,
} from "@collect/contracts";
import { type Pool, type Session, statement } from "@collect/database";
import { asRecorded, METADATA_AS_RECORDED } from "./collections.ts";

/** Collections as they were published, from which other services recover after a restore. */

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
  source: unknown;
  metadata: Metadata | null;
};
const factsOf = (value: (column: string) => string, metadata: string) => `
  select c.intake_id as "intakeId", c.merchant_id as "merchantId", c.mode, c.account_number as "accountNumber",
    ${value("customer_reference")} as "customerReference", ${value("customer_name")} as "customerName", c.amount, c.currency,
    c.fee, c.net, c.reference, ${value("payment_reference")} as "paymentReference",
    ${value("merchant_reference")} as "merchantReference", p.name as "payerName", p.account_number as "payerAccountNumber",
    p.bank_name as "payerBankName", c.paid_at as "paidAt", c.received_at as "receivedAt", c.posted_at as "postedAt", c.source,
    ${metadata} as metadata
  from collections c join payers p on p.id = c.payer_id`;
const AS_RECORDED = factsOf(asRecorded, METADATA_AS_RECORDED);

const factsById = statement<CollectionFact>(`${AS_RECORDED} where c.intake_id = any($1::text[])`);
const attachedFacts = statement<CollectionFact>(`
  ${factsOf((column) => column, "metadata")} where c.intake_id = any($1::text[]) and c.attached_at is not null`);
const factsByReceipt = statement<CollectionFact>(`${AS_RECORDED}
  where c.received_at >= $1 and c.received_at < $2 and c.intake_id > $3 order by c.intake_id limit $4`);

type Succeeded = Fact<typeof collectionSucceeded>;

/** As they were first published to webhooks. */
export const succeededFacts = async (pool: Session, intakeIds: string[]): Promise<Succeeded[]> =>
  (await factsById(pool, [intakeIds])).map(succeededOf);

/** Those of them that are attached, as that is published. */
export const attachedFactsOf = async (pool: Session, intakeIds: string[]): Promise<Succeeded[]> =>
  (await attachedFacts(pool, [intakeIds])).map(succeededOf);

const succeededOf = (row: CollectionFact): Succeeded => ({
  ...commonOf(row),
  reference: row.reference,
  paymentReference: row.paymentReference,
  merchantReference: row.merchantReference,
  payerDetailsName: row.customerReference === null ? row.customerName : null,
  ...(row.metadata && { metadata: row.metadata }),
});

type Posted = Fact<typeof collectionPosted>;

/** As the ledger published them, except for the fields that only the ledger knows. */
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
  source: collectionPosted.data.shape.source.parse(row.source ?? undefined),
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

const count = statement<CountedMinute>(`
  select mode, 'collection' as kind, date_trunc('minute', received_at, 'UTC') as minute,
    count(*)::integer as count, sum(amount)::bigint as sum
  from collections where received_at >= $1 and received_at < $2 group by 1, 3`);

/** The count and sum of the collections received in each minute of [from, to). */
export const countMinutes = (pool: Pool, { from, to }: { from: string; to: string }): Promise<CountedMinute[]> =>
  count(pool, [from, to]);

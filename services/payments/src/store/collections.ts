import type { collectionPosted, Fact, Mode } from "@collect/contracts";
import { columns, type Session, statement } from "@collect/database";

type NewCollection = Fact<typeof collectionPosted> & { payerId: bigint; reference: string };

export type CollectionRow = {
  intakeId: string;
  reference: string;
  merchantId: string;
  mode: Mode;
  amount: bigint;
  paymentReference: string | null;
  merchantReference: string | null;
};
const COLUMNS = `intake_id as "intakeId", reference, merchant_id as "merchantId", mode, amount,
  payment_reference as "paymentReference", merchant_reference as "merchantReference"`;

const claim = statement<CollectionRow>(`
  insert into collections (intake_id, reference, merchant_id, mode, account_number, customer_reference, customer_name,
    payer_id, amount, fee, net, currency, paid_at, received_at, posted_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::timestamptz[])
    as c (intake_id)
  order by c.intake_id
  on conflict (intake_id) do nothing
  returning ${COLUMNS}`);

const read = statement<CollectionRow>(`select ${COLUMNS} from collections where intake_id = any($1::text[])`);

/**
 * Every collection as it stands, whether this claims it or an earlier one did, by intake id. Those that were there are read back
 * in a statement of their own: a twin may have committed in between.
 */
export async function claimCollections(tx: Session, collections: NewCollection[]): Promise<Map<string, CollectionRow>> {
  const merchants = collections.map(({ merchant }) => merchant);
  const customers = collections.map(({ customer }) => ({
    reference: customer?.reference ?? null,
    name: customer?.name ?? null,
  }));
  const claimed = await claim(tx, [
    ...columns(collections, "intakeId", "reference"),
    ...columns(merchants, "id", "mode"),
    ...columns(collections, "accountNumber"),
    ...columns(customers, "reference", "name"),
    ...columns(collections, "payerId", "amount", "fee", "net", "currency", "paidAt", "receivedAt", "postedAt"),
  ]);
  const standing = new Map(claimed.map((row) => [row.intakeId, row]));
  const repeats = collections.map(({ intakeId }) => intakeId).filter((intakeId) => !standing.has(intakeId));
  if (repeats.length > 0) for (const row of await read(tx, [repeats])) standing.set(row.intakeId, row);
  return standing;
}

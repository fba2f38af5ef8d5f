import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";
import { type Page, pageValues } from "../../domain/page.ts";
import type { CollectionView } from "../domain/collection-view.ts";

/** Collection lists for the dashboard. */
export type ListedCollection = CollectionView & { intakeId: string; postedAt: string };

const COLUMNS = `c.intake_id as "intakeId", c.reference, c.amount, c.fee, c.net, c.customer_reference as "customerReference",
  c.customer_name as "customerName", c.account_number as "accountNumber", c.payment_reference as "paymentReference",
  c.merchant_reference as "merchantReference", c.paid_at as "paidAt", c.received_at as "receivedAt",
  c.posted_at as "postedAt", c.created_at as "createdAt", c.mode, c.payer_id as "payerId", p.name as "payerName",
  p.account_number as "payerAccountNumber", p.bank_name as "payerBankName"`;

const SCOPE = "c.merchant_id = $1 and c.mode = $2";
const BEHIND = "c.paid_at >= $3::timestamptz and (c.paid_at, c.intake_id) < ($4::timestamptz, $5)";
const IN_ORDER = "order by c.paid_at desc, c.intake_id desc";

/** Rows first, each with its payer then: whatever the tables held when this was planned, it begins with the page. */
const withPayers = (rows: string) =>
  statement<ListedCollection>(`
  with page as materialized (${rows})
  select ${COLUMNS} from page c cross join lateral (select * from payers where id = c.payer_id limit 1) p ${IN_ORDER}`);

const ofMerchant = withPayers(`select c.* from collections c where ${SCOPE} and ${BEHIND} ${IN_ORDER} limit $6`);

const ofCustomer = withPayers(
  `select c.* from collections c where c.customer_reference = $7 and ${SCOPE} and ${BEHIND} ${IN_ORDER} limit $6`,
);

// A payer is one merchant's and mode's, and so is all that it paid.
const ofPayer = withPayers(`
  select c.* from payers p cross join lateral (
    select c.* from collections c
    where c.payer_id = p.id and ($8::text is null or c.customer_reference = $8) and ${BEHIND} ${IN_ORDER} limit $6
  ) c where p.id = $7 and p.merchant_id = $1 and p.mode = $2`);

const FILTERED = `${BEHIND} and ($8::text is null or c.customer_reference = $8)
  and ($9::bigint is null or c.payer_id = $9)`;
const foundBy = (column: string, scope: string) =>
  `(select c.intake_id, c.paid_at from collections c
    where c.${column} = $7 and ${scope} and ${FILTERED} ${IN_ORDER} limit $6)`;
// What is about one merchant anyway: no index takes this, so that none but the key's own can be walked for it.
const OWN = "row(c.merchant_id, c.mode) is not distinct from row($1, $2)";
const HITS = [
  ...["reference", "payment_reference", "account_number"].map((column) => foundBy(column, OWN)),
  ...["merchant_reference", "customer_reference"].map((column) => foundBy(column, SCOPE)),
];

// Each key is looked up in its own index; a page of each is more than enough for the page of all.
const found = withPayers(`
  select c.* from (select * from (${HITS.join(" union ")}) c ${IN_ORDER} limit $6) hit
  cross join lateral (select * from collections where intake_id = hit.intake_id limit 1) c`);

export type CollectionFilter = {
  customerReference: string | undefined;
  payerId: string | undefined;
  search: string | undefined;
};

/** A page of a merchant's collections. */
export function listCollections(
  tx: Session,
  merchant: MerchantScope,
  { page, filter }: { page: Page; filter: CollectionFilter },
): Promise<ListedCollection[]> {
  const { customerReference, payerId, search } = filter;
  const values = [merchant.id, merchant.mode, ...pageValues(page)];
  if (search !== undefined) return found(tx, [...values, search, customerReference, payerId]);
  if (payerId !== undefined) return ofPayer(tx, [...values, payerId, customerReference]);
  if (customerReference !== undefined) return ofCustomer(tx, [...values, customerReference]);
  return ofMerchant(tx, values);
}

const byReference = withPayers(`
  with c as materialized (select * from collections where reference = $3) select c.* from c where ${SCOPE}`);

export async function findCollection(
  tx: Session,
  merchant: MerchantScope,
  reference: string,
): Promise<ListedCollection | undefined> {
  const [collection] = await byReference(tx, [merchant.id, merchant.mode, reference]);
  return collection;
}

const byIntakes = withPayers(`
  with c as materialized (select * from collections where intake_id = any($3::text[])) select c.* from c where ${SCOPE}`);

/** Those of the merchant's collections that have one of these ids. */
export const readListedCollections = (tx: Session, merchant: MerchantScope, intakeIds: string[]) =>
  byIntakes(tx, [merchant.id, merchant.mode, intakeIds]);

export type CollectionDay = { day: string; count: number; amount: bigint; fee: bigint; net: bigint };

/**
 * One range of collections_shown_idx a day, and nothing of the table. Lagos has had one offset since 1919, so a day there
 * has 24 hours.
 */
export const sumDays = statement<CollectionDay>(`
  select to_char(day, 'YYYY-MM-DD') as day, sums.count::integer as count, sums.amount::bigint as amount,
    sums.fee::bigint as fee, (sums.amount - sums.fee)::bigint as net
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') as day
  cross join lateral (
    select count(*) as count, sum(c.amount) as amount, sum(c.fee) as fee from collections c
    where ${SCOPE} and c.paid_at >= day at time zone 'Africa/Lagos'
      and c.paid_at < (day + interval '1 day') at time zone 'Africa/Lagos'
  ) as sums
  where sums.count > 0 order by day`);

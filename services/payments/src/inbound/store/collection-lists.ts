import { type Actor, collectionPosted, type MerchantScope } from "@collect/contracts";
import { query, rowOf } from "@collect/database";
import { type Page, type Span, within } from "../../domain/page.ts";
import { type Prisma, type PrismaClient, SUMMED_MAX } from "../../store/prisma.ts";
import type { CollectionView } from "../domain/collection-view.ts";

/** Collection lists, for merchants' servers and the dashboard. */
export type ListedCollection = CollectionView & { intakeId: string; postedAt: string; attachedBy: Actor | null };

export type CollectionFilter = Partial<{
  customerReference: string | undefined;
  accountNumber: string | undefined;
  paymentReference: string | undefined;
  merchantReference: string | undefined;
  amount: bigint | undefined;
  /** Both included. */
  amountFrom: bigint | undefined;
  amountTo: bigint | undefined;
  references: string[] | undefined;
  intakeIds: string[] | undefined;
  payerId: string | undefined;
  /** The intake ids of what was searched for. */
  searched: string[] | undefined;
  /** Those that match neither a session nor a customer, and that the bank left: others cannot be attached. */
  isUnmatched: boolean | undefined;
  /** Those of which the bank took something back. */
  isTakenBack: boolean | undefined;
}>;

const NEWEST_FIRST = [{ paidAt: "desc" }, { intakeId: "desc" }] satisfies Prisma.CollectionOrderByWithRelationInput[];
const WITH_PAYER = { payer: { select: { name: true, accountNumber: true, bankName: true } } };

const UNMATCHED = { paymentReference: null, customerReference: null, amountReversed: 0n };

/** A page of a merchant's collections. */
export async function listCollections(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, filter }: { page: Page; filter: CollectionFilter },
): Promise<ListedCollection[]> {
  const found = await prisma.collection.findMany({
    where: {
      ...{ merchantId, mode, ...matching(filter) },
      paidAt: within(page),
      OR: [{ paidAt: { lt: page.before } }, { intakeId: { lt: page.key } }],
    },
    orderBy: NEWEST_FIRST,
    take: page.limit,
    include: WITH_PAYER,
  });
  return found.map(toListed);
}

/** Whether the collection is this merchant's, in this mode. */
export async function isCollectionOf(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  intakeId: string,
): Promise<boolean> {
  return (await prisma.collection.count({ where: { intakeId, merchantId, mode } })) > 0;
}

/** What a list of collections comes to; undefined if it is longer than what is summed. */
export async function sumCollections(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { span, filter }: { span: Span; filter: CollectionFilter },
): Promise<{ count: number; amount: bigint; fee: bigint } | undefined> {
  const { _count: count, _sum } = await prisma.collection.aggregate({
    where: { merchantId, mode, ...matching(filter), paidAt: { gte: span.from, lt: span.before } },
    take: SUMMED_MAX + 1,
    _count: true,
    _sum: { amount: true, fee: true },
  });
  return count > SUMMED_MAX ? undefined : { count, amount: _sum.amount ?? 0n, fee: _sum.fee ?? 0n };
}

/**
 * A range of amounts is read from collections_amount_idx if few are in it, and else by time until the page is full; the planner
 * knows which from its statistics.
 */
function matching(filter: CollectionFilter): Prisma.CollectionWhereInput {
  const { payerId, amount, amountFrom, amountTo, references, intakeIds, searched, ...rest } = filter;
  const { isUnmatched, isTakenBack, ...others } = rest;
  return {
    ...others,
    ...(isUnmatched && UNMATCHED),
    ...(isTakenBack && { amountReversed: { gt: 0n } }),
    payerId: payerId === undefined ? undefined : BigInt(payerId),
    amount: amount ?? { gte: amountFrom, lte: amountTo },
    reference: references && { in: references },
    intakeId: intakeIds && { in: intakeIds },
    AND: searched ? { intakeId: { in: searched } } : {},
  };
}

export async function findCollection(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  reference: string,
): Promise<ListedCollection | undefined> {
  const found = await prisma.collection.findFirst({ where: { reference, merchantId, mode }, include: WITH_PAYER });
  return found ? toListed(found) : undefined;
}

/** Those of the merchant's collections that have one of these ids. */
export async function readListedCollections(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  intakeIds: string[],
): Promise<ListedCollection[]> {
  const found = await prisma.collection.findMany({
    where: { intakeId: { in: intakeIds }, merchantId, mode },
    orderBy: NEWEST_FIRST,
    include: WITH_PAYER,
  });
  return found.map(toListed);
}

type Found = Prisma.CollectionGetPayload<{ include: typeof WITH_PAYER }>;
/** Nothing else of the bank's report is shown, so nothing else of it can keep a merchant from a page of its money. */
const ShownSource = collectionPosted.data.shape.source.unwrap().pick({ sessionId: true });

function toListed({ payer, source, ...collection }: Found): ListedCollection {
  const { name: payerName, accountNumber: payerAccountNumber, bankName: payerBankName } = payer;
  const { sessionId = null } = ShownSource.parse(source ?? {});
  return rowOf<ListedCollection>({ ...collection, payerName, payerAccountNumber, payerBankName, sessionId });
}

export type CollectionDay = { day: string; count: number; amount: bigint; fee: bigint; net: bigint };

/**
 * One range of collections_shown_idx a day, and nothing of the table. Lagos has had one offset since 1919, so a day there
 * has 24 hours.
 */
export const sumDays = query<CollectionDay>(`
  select to_char(day, 'YYYY-MM-DD') as day, sums.count::integer as count, sums.amount::bigint as amount,
    sums.fee::bigint as fee, (sums.amount - sums.fee)::bigint as net
  from generate_series($3::timestamp, $4::timestamp, interval '1 day') as day
  cross join lateral (
    select count(*) as count, sum(c.amount) as amount, sum(c.fee) as fee from collections c
    where c.merchant_id = $1 and c.mode = $2 and c.paid_at >= day at time zone 'Africa/Lagos'
      and c.paid_at < (day + interval '1 day') at time zone 'Africa/Lagos'
  ) as sums
  where sums.count > 0 order by day`);

import type { Actor, MerchantScope } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, type Span, within } from "../../domain/page.ts";
import { type Prisma, type PrismaClient, SUMMED_MAX } from "../../store/prisma.ts";
import type { Transfer } from "../domain/transfer.ts";

/** Transfer lists, for merchants' servers and the dashboard: transfers whose money is or was reserved. */
const VISIBLE: Prisma.TransferWhereInput = { step: { notIn: ["created", "refused"] } };
/**
 * Also those that may still be reserved: a merchant who looks for its own reference, or an account, would otherwise pay twice, and
 * one who exports the rows of such a list would get fewer.
 */
const NOT_REFUSED: Prisma.TransferWhereInput = { step: { not: "refused" } };
const NEWEST_FIRST: Prisma.TransferOrderByWithRelationInput[] = [{ createdAt: "desc" }, { reference: "desc" }];

export type TransferFilter = Partial<{
  /** Any status if undefined. */
  status: Transfer["status"] | undefined;
  /** Only those that wait for approval. */
  approval: "required" | undefined;
  accountNumber: string | undefined;
  bankCode: string | undefined;
  /** Both included. */
  amountFrom: bigint | undefined;
  amountTo: bigint | undefined;
  references: string[] | undefined;
  search: TransferSearch | undefined;
}>;

/** A text, and the references of what was searched for with it. */
type TransferSearch = { text: string; references: string[] };

/** A page of a merchant's transfers. */
export async function listTransfers(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, offset = 0, filter }: { page: Page; offset?: number; filter: TransferFilter },
): Promise<Transfer[]> {
  const found = await prisma.transfer.findMany({
    where: {
      ...{ merchantId, mode, ...matching(filter) },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
    },
    orderBy: NEWEST_FIRST,
    take: page.limit,
    skip: offset,
  });
  return rowsOf<Transfer>(found);
}

/** Whether the transfer is this merchant's, in this mode. */
export async function isTransferOf(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  reference: string,
): Promise<boolean> {
  return (await prisma.transfer.count({ where: { reference, merchantId, mode } })) > 0;
}

/** What a list of transfers comes to; undefined if it is longer than what is summed. */
export async function sumTransfers(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { span, filter }: { span: Span; filter: TransferFilter },
): Promise<{ count: number; amount: bigint } | undefined> {
  const { _count: count, _sum } = await prisma.transfer.aggregate({
    where: { merchantId, mode, ...matching(filter), createdAt: { gte: span.from, lt: span.before } },
    take: SUMMED_MAX + 1,
    _count: true,
    _sum: { amount: true },
  });
  return count > SUMMED_MAX ? undefined : { count, amount: _sum.amount ?? 0n };
}

function matching(filter: TransferFilter): Prisma.TransferWhereInput {
  const { amountFrom, amountTo, references, search, ...others } = filter;
  const isLookup = others.accountNumber !== undefined || references !== undefined;
  const visible = isLookup ? NOT_REFUSED : VISIBLE;
  return {
    ...others,
    amount: { gte: amountFrom, lte: amountTo },
    reference: references && { in: references },
    AND: search === undefined ? visible : named(search),
  };
}

const named = ({ text, references }: TransferSearch): Prisma.TransferWhereInput => ({
  OR: [
    { reference: { in: references }, ...VISIBLE },
    { merchantReference: text, ...NOT_REFUSED },
  ],
});

/** With who ordered it, which nothing but this list reads. */
type OrderedTransfer = Transfer & { orderedBy: Actor | null };

export async function findListedTransfer(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  reference: string,
): Promise<OrderedTransfer | undefined> {
  const found = await prisma.transfer.findMany({ where: { reference, merchantId, mode, ...NOT_REFUSED } });
  return rowsOf<OrderedTransfer>(found)[0];
}

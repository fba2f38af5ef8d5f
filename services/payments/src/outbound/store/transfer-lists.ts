import type { Actor, MerchantScope } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, within } from "../../domain/page.ts";
import type { Prisma, PrismaClient } from "../../store/prisma.ts";
import type { Transfer } from "../domain/transfer.ts";

/** Transfer lists, for merchants' servers and the dashboard: transfers whose money is or was reserved. */
const VISIBLE: Prisma.TransferWhereInput = { step: { notIn: ["created", "refused"] } };
/** Also those that may still be reserved: a merchant who looks for its own reference would otherwise order it under another. */
const NOT_REFUSED: Prisma.TransferWhereInput = { step: { not: "refused" } };
const NEWEST_FIRST: Prisma.TransferOrderByWithRelationInput[] = [{ createdAt: "desc" }, { reference: "desc" }];

export type TransferFilter = Partial<{
  /** Any status if undefined. */
  status: Transfer["status"] | undefined;
  /** Only those that wait for approval. */
  approval: "required" | undefined;
  merchantReference: string | undefined;
  search: string | undefined;
}>;

/** A page of a merchant's transfers. */
export async function listTransfers(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, offset = 0, filter }: { page: Page; offset?: number; filter: TransferFilter },
): Promise<Transfer[]> {
  const { status, approval, merchantReference, search } = filter;
  const found = await prisma.transfer.findMany({
    where: {
      ...{ merchantId, mode, status, approval, merchantReference },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
      AND: search === undefined ? (merchantReference === undefined ? VISIBLE : NOT_REFUSED) : named(search),
    },
    orderBy: NEWEST_FIRST,
    take: page.limit,
    skip: offset,
  });
  return rowsOf<Transfer>(found);
}

const named = (search: string): Prisma.TransferWhereInput => ({
  OR: [
    { reference: search, ...VISIBLE },
    { merchantReference: search, ...NOT_REFUSED },
    { accountNumber: search, ...VISIBLE },
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

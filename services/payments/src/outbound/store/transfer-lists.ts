import type { Actor, MerchantScope } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, within } from "../../domain/page.ts";
import type { Prisma, PrismaClient } from "../../store/prisma.ts";
import type { Transfer } from "../domain/transfer.ts";

/** Transfer lists for the dashboard: transfers whose money is or was reserved. */
const VISIBLE: Prisma.TransferWhereInput = { step: { notIn: ["created", "refused"] } };
/** Also those that may still be reserved: a merchant who looks for its own reference would otherwise order it under another. */
const NOT_REFUSED: Prisma.TransferWhereInput = { step: { not: "refused" } };
const NEWEST_FIRST: Prisma.TransferOrderByWithRelationInput[] = [{ createdAt: "desc" }, { reference: "desc" }];

export type TransferFilter = {
  /** Any status if undefined. */
  status: Transfer["status"] | undefined;
  /** Only those that wait for approval. */
  approval?: "required" | undefined;
  search: string | undefined;
};

/** A page of a merchant's transfers. */
export async function listTransfersByCursor(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, filter: { status, approval, search } }: { page: Page; filter: TransferFilter },
): Promise<Transfer[]> {
  const found = await prisma.transfer.findMany({
    where: {
      ...{ merchantId, mode, status, approval },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
      AND: search === undefined ? VISIBLE : named(search),
    },
    orderBy: NEWEST_FIRST,
    take: page.limit,
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

/** A page of the merchant API, by offset. */
export async function listTransfersOf(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { status, limit, offset }: { status: Transfer["status"] | undefined; limit: number; offset: number },
): Promise<Transfer[]> {
  const where = { merchantId, mode, status, ...VISIBLE };
  return rowsOf<Transfer>(await prisma.transfer.findMany({ where, orderBy: NEWEST_FIRST, take: limit, skip: offset }));
}

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

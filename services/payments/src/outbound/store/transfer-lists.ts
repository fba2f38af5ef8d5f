import type { MerchantScope } from "@collect/contracts";
import { rowsOf } from "@collect/database";
import { type Page, within } from "../../domain/page.ts";
import type { Prisma, PrismaClient } from "../../store/prisma.ts";
import type { Transfer } from "../domain/transfer.ts";

/** Transfer lists for the dashboard: transfers whose money is or was reserved. */
const VISIBLE: Prisma.TransferWhereInput = { step: { notIn: ["created", "refused"] } };
const NEWEST_FIRST: Prisma.TransferOrderByWithRelationInput[] = [{ createdAt: "desc" }, { reference: "desc" }];

export type TransferFilter = {
  /** Any status if undefined. */
  status: Transfer["status"] | undefined;
  search: string | undefined;
};

/** A page of a merchant's transfers. */
export async function listTransfersByCursor(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { page, filter: { status, search } }: { page: Page; filter: TransferFilter },
): Promise<Transfer[]> {
  const found = await prisma.transfer.findMany({
    where: {
      ...{ merchantId, mode, status, ...VISIBLE },
      createdAt: within(page),
      OR: [{ createdAt: { lt: page.before } }, { reference: { lt: page.key } }],
      AND: named(search),
    },
    orderBy: NEWEST_FIRST,
    take: page.limit,
  });
  return rowsOf<Transfer>(found);
}

const named = (search: string | undefined): Prisma.TransferWhereInput =>
  search === undefined ? {} : { OR: [{ reference: search }, { merchantReference: search }, { accountNumber: search }] };

/** A page of the merchant API, by offset. */
export async function listTransfersOf(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  { status, limit, offset }: { status: Transfer["status"] | undefined; limit: number; offset: number },
): Promise<Transfer[]> {
  const where = { merchantId, mode, status, ...VISIBLE };
  return rowsOf<Transfer>(await prisma.transfer.findMany({ where, orderBy: NEWEST_FIRST, take: limit, skip: offset }));
}

export async function findVisibleTransfer(
  prisma: PrismaClient,
  { id: merchantId, mode }: MerchantScope,
  reference: string,
): Promise<Transfer | undefined> {
  const found = await prisma.transfer.findMany({ where: { reference, merchantId, mode, ...VISIBLE } });
  return rowsOf<Transfer>(found)[0];
}

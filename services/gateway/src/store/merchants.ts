import { type Mode, Problem } from "@collect/contracts";
import type { keyRecord } from "../domain/api-key.ts";
import { type LockedMerchant, lockMerchant, type PrismaClient, type PrismaTransaction } from "./prisma.ts";

export const noSuchMerchant = () => new Problem("not_found", "There is no such merchant.");

/** One atomic change of a merchant, under the lock on its row. */
export function changingMerchant<Result>(
  prisma: PrismaClient,
  id: string,
  work: (tx: PrismaTransaction, merchant: LockedMerchant) => Promise<Result>,
): Promise<Result> {
  return prisma.$transaction(async (tx) => {
    const merchant = await lockMerchant(tx, id);
    if (!merchant) throw noSuchMerchant();
    return work(tx, merchant);
  });
}

/** Whether the merchant has ever had its secret and public key of a mode, including expired ones. */
export async function hasKeys(tx: PrismaTransaction, merchantId: string, mode: Mode): Promise<boolean> {
  const where = { merchantId, mode, kind: { not: "restricted" } };
  return (await tx.apiKey.findFirst({ where, select: { id: true } })) !== null;
}

export async function addKeys(tx: PrismaTransaction, id: string, keys: ReturnType<typeof keyRecord>[]): Promise<void> {
  await tx.merchant.update({ where: { id }, data: { keys: { create: keys } } });
}

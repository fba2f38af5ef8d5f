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

/** Whether the merchant has ever had keys of a mode, including expired ones. */
export async function hasKeys(tx: PrismaTransaction, merchantId: string, mode: Mode): Promise<boolean> {
  return (await tx.apiKey.findFirst({ where: { merchantId, mode }, select: { id: true } })) !== null;
}

type KeyChange = { keys: ReturnType<typeof keyRecord>[]; action: string; detail?: object; requestId: string };

/** Stores keys and, in the audit log, the reason. */
export async function addKeys(tx: PrismaTransaction, id: string, { keys, ...entry }: KeyChange): Promise<void> {
  await tx.merchant.update({ where: { id }, data: { keys: { create: keys }, audit: { create: entry } } });
}

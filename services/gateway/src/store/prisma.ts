import { type Pool, prismaOver } from "@collect/database";
import type { KeyType } from "../domain/api-key.ts";
import { type Prisma, PrismaClient } from "../generated/client.ts";

export type { PrismaClient };
export type PrismaTransaction = Prisma.TransactionClient;

/** For the few calls of operators and the dashboard. The hot query, for every call of a merchant, is in key-check.ts. */
export const openPrisma = (pool: Pool): PrismaClient => new PrismaClient(prismaOver(pool));

export type LockedMerchant = {
  id: string;
  name: string;
  verified_at: Date | null;
  suspended_at: Date | null;
  suspension_reason: string | null;
  now: Date;
};

/**
 * The merchant's row, locked: changes of its keys or its verification are serialized, and each sees the previous one. It
 * includes the time, by the clock that decides whether keys have expired.
 */
export async function lockMerchant(tx: PrismaTransaction, id: string): Promise<LockedMerchant | undefined> {
  const [merchant] = await tx.$queryRaw<LockedMerchant[]>`
    select id, name, verified_at, suspended_at, suspension_reason, clock_timestamp() as now
    from merchants where id = ${id} for update`;
  return merchant;
}

/** Never extends a key that expires sooner. */
export async function expireKeys(
  tx: PrismaTransaction,
  { merchant_id, mode, kind }: KeyType & { merchant_id: string },
  expiry: Date,
): Promise<void> {
  await tx.$executeRaw`
    update api_keys set expires_at = least(expires_at, ${expiry}::timestamptz)
    where merchant_id = ${merchant_id} and mode = ${mode} and kind = ${kind}`;
}

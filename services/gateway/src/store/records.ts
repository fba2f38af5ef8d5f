import type { Pool } from "@collect/database";
import { PrismaPg } from "@prisma/adapter-pg";
import type { KeyType } from "../domain/api-key.ts";
import { type Prisma, PrismaClient } from "../generated/client.ts";

/** Merchants, keys, verification and the audit log, for the few calls of operators and the dashboard; what every call of a merchant needs is in key-check.ts. */
export type Records = PrismaClient;
export type RecordsTransaction = Prisma.TransactionClient;

/** On the pool that is there already. Errors are minimal: Prisma would print what was to be stored. */
export function openRecords(pool: Pool): Records {
  return new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" });
}

export type LockedMerchant = { id: string; name: string; verified_at: Date | null; now: Date };

/**
 * The merchant's row, locked: a change of its keys or its verification waits for the one before, and sees what that one did.
 * With it the time, by the clock that judges keys.
 */
export async function lockMerchant(tx: RecordsTransaction, id: string): Promise<LockedMerchant | undefined> {
  const [merchant] = await tx.$queryRaw<LockedMerchant[]>`
    select id, name, verified_at, clock_timestamp() as now from merchants where id = ${id} for update`;
  return merchant;
}

/** Never prolongs a key that expires sooner. */
export async function expireKeys(
  tx: RecordsTransaction,
  { merchant_id, mode, kind }: KeyType & { merchant_id: string },
  expiry: Date,
): Promise<void> {
  await tx.$executeRaw`
    update api_keys set expires_at = least(expires_at, ${expiry}::timestamptz)
    where merchant_id = ${merchant_id} and mode = ${mode} and kind = ${kind}`;
}

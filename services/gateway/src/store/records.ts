import type { Pool } from "@collect/database";
import { PrismaPg } from "@prisma/adapter-pg";
import type { KeyType } from "../domain/api-key.ts";
import { type Prisma, PrismaClient } from "../generated/client.ts";

/** Merchants, keys and the audit log, for the few calls an operator makes; what every call of a merchant needs is in key-check.ts. */
export type Records = PrismaClient;

/** On the pool that is there already. Errors are minimal: Prisma would print what was to be stored. */
export function openRecords(pool: Pool): Records {
  return new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" });
}

/** Locks the merchant, so that of two who roll its keys the second expires the first one's; and the time in so many hours by the clock that judges keys. */
export async function lockMerchant(tx: Prisma.TransactionClient, id: string, hours: number) {
  const [merchant] = await tx.$queryRaw<{ verified: boolean; expiry: Date }[]>`
    select verified_at is not null as verified, clock_timestamp() + ${hours}::float8 * interval '1 hour' as expiry
    from merchants where id = ${id} for update`;
  return merchant;
}

/** Never prolongs a key that expires sooner. */
export async function expireKeys(
  tx: Prisma.TransactionClient,
  { merchant_id, mode, kind }: KeyType & { merchant_id: string },
  expiry: Date,
): Promise<void> {
  await tx.$executeRaw`
    update api_keys set expires_at = least(expires_at, ${expiry}::timestamptz)
    where merchant_id = ${merchant_id} and mode = ${mode} and kind = ${kind}`;
}

import { type ImitatedBanks, skeletonOf } from "../domain/name-skeleton.ts";
import type { PrismaClient, PrismaTransaction } from "./prisma.ts";

/** The names under which a business appears: that of the merchant, and the registered one once it has been given. */
export type Named = { id: string; names: string[] };

/** The banks and the other verified merchants whose name resembles one of these, by merchant. */
export async function imitatedBy(
  tx: PrismaClient | PrismaTransaction,
  banks: ImitatedBanks,
  merchants: Named[],
): Promise<Map<string, string[]>> {
  const skeletons = merchants.map(({ id, names }) => ({ id, names, own: names.map(skeletonOf) }));
  const found = await tx.protectedName.findMany({
    where: { skeleton: { in: skeletons.flatMap(({ own }) => own) } },
    include: { merchant: { select: { name: true } } },
    orderBy: [{ skeleton: "asc" }, { merchantId: "asc" }],
    take: FOUND_MAX,
  });
  return new Map(
    skeletons.map(({ id, names, own }) => {
      const others = found.filter(({ skeleton, merchantId }) => merchantId !== id && own.includes(skeleton));
      const merchantNames = others.map(({ merchant, merchantId }) => `${merchant.name} (${merchantId})`);
      return [id, [...new Set([...banks(names), ...merchantNames])]];
    }),
  );
}

/** Enough to show that a name is taken. */
const FOUND_MAX = 1_000;

/**
 * Until the transaction ends, no other approval is decided: of two merchants with one name, the second one's sees the first one's.
 */
export async function lockProtectedNames(tx: PrismaTransaction): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('protected_names'))`;
}

/** From now on nobody else gets these names without the operator's consent. */
export async function protectNames(tx: PrismaClient | PrismaTransaction, { id, names }: Named): Promise<void> {
  const data = names.map((name) => ({ skeleton: skeletonOf(name), merchantId: id }));
  await tx.protectedName.createMany({ data, skipDuplicates: true });
}

import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import {
  createRestrictedKey,
  instantOf,
  invalidFields,
  type Mode,
  notFound,
  Problem,
  revokeRestrictedKey,
} from "@collect/contracts";
import { networkOf } from "../adapters/addresses.ts";
import { keyRecord, newApiKey } from "../domain/api-key.ts";
import { assertMayHaveKey } from "../domain/standing.ts";
import { addKeys, changingMerchant } from "../store/merchants.ts";
import type { PrismaClient, PrismaTransaction } from "../store/prisma.ts";

/** The most restricted keys of a merchant in one mode that are not revoked. */
const ACTIVE_MAX = 50;

export function restrictedKeyRequests(prisma: PrismaClient): Request[] {
  return [
    answer(createRestrictedKey, ({ merchant_id, mode, name, scopes, addresses }, { actor }) =>
      changingMerchant(prisma, merchant_id, async (tx, merchant) => {
        assertMayHaveKey(mode, merchant);
        const restriction = { name, scopes: [...new Set(scopes)], addresses: networksOf(addresses) };
        await assertRoom(tx, { merchantId: merchant_id, mode, name });
        const key = newApiKey({ kind: "restricted", mode }, randomInt);
        const record = keyRecord(key, { kind: "restricted", mode, madeBy: actor, ...restriction });
        await addKeys(tx, merchant_id, [record]);
        const { id } = await tx.apiKey.findUniqueOrThrow({ where: { hash: record.hash }, select: { id: true } });
        return { key, key_id: String(id) };
      }),
    ),

    answer(revokeRestrictedKey, ({ merchant_id, mode, key_id, reason }, { actor }) =>
      changingMerchant(prisma, merchant_id, async (tx, { now }) => {
        if (actor.kind === "operator" && !reason) throw withoutReason();
        const where = { id: BigInt(key_id), merchantId: merchant_id, mode, kind: "restricted" };
        const found = await tx.apiKey.findFirst({ where });
        if (!found) throw notFound();
        const expires_at = instantOf(found.expiresAt ?? now);
        if (found.expiresAt) return { key_id, expires_at };
        await tx.apiKey.update({ where: { id: found.id }, data: { expiresAt: now } });
        return { key_id, expires_at };
      }),
    ),
  ];
}

const withoutReason = () => invalidFields([{ param: "reason", code: "invalid_type", message: "must say why" }]);

/** The merchant is locked, so that concurrent requests cannot exceed the maximum, or use a name twice. */
async function assertRoom(
  tx: PrismaTransaction,
  { merchantId, mode, name }: { merchantId: string; mode: Mode; name: string },
): Promise<void> {
  const active = await tx.apiKey.findMany({
    where: { merchantId, mode, kind: "restricted", expiresAt: null },
    select: { name: true },
    take: ACTIVE_MAX,
  });
  if (active.some((key) => key.name === name))
    throw new Problem(
      "conflict",
      `There is an active key called “${name}” already. Choose another name, or revoke it.`,
    );
  if (active.length === ACTIVE_MAX)
    throw new Problem("conflict", `At most ${ACTIVE_MAX} restricted keys can be active at once. Revoke one first.`);
}

function networksOf(addresses: readonly string[]): string[] {
  const networks = addresses.map((address, index) => {
    const network = networkOf(address);
    if (network) return network;
    const message = "must be an IPv4 or IPv6 address, or a network such as 102.89.0.0/16";
    throw invalidFields([{ param: `addresses.${index}`, code: "invalid_format", message }]);
  });
  return [...new Set(networks)];
}

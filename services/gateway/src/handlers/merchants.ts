import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import {
  Actor,
  createMerchant,
  instantOf,
  KeyScope,
  Problem,
  readAccountLimit,
  readMerchants,
  registerMerchant,
  showMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { KeyType, keyPrefix, newKeyPair, newMerchantId } from "../domain/api-key.ts";
import type { ImitatedBanks } from "../domain/name-skeleton.ts";
import { assertMayHaveKey } from "../domain/standing.ts";
import { addKeys, changingMerchant, hasKeys, noSuchMerchant } from "../store/merchants.ts";
import type { PrismaClient } from "../store/prisma.ts";
import { approve } from "../store/verifications.ts";

/** The most keys that are returned: those without an end first, then those that expire last; of them the newest. */
const KEYS_SHOWN_MAX = 100;

type Deps = { prisma: PrismaClient; banks: ImitatedBanks };

export function merchantRequests(deps: Deps): Request[] {
  return [...makeMerchants(deps), ...showMerchants(deps.prisma)];
}

function makeMerchants({ prisma, banks }: Deps): Request[] {
  return [
    answer(createMerchant, async ({ name, rate_limits }, { actor }) => {
      const keys = newKeyPair("test", randomInt, actor);
      const { id } = await prisma.merchant.create({
        data: {
          id: newMerchantId(randomInt),
          name,
          accountsPerHour: rate_limits?.accounts,
          readsPerHour: rate_limits?.reads,
          keys: { create: keys.records },
        },
      });
      return { merchant_id: id, name, keys: { sk_test: keys.secret, pk_test: keys.public } };
    }),

    answer(registerMerchant, ({ merchant_id: id, name }) =>
      prisma.$transaction(async (tx) => {
        await tx.merchant.createMany({ data: [{ id, name }], skipDuplicates: true });
        const there = await tx.merchant.findUniqueOrThrow({ where: { id } });
        return { merchant_id: id, name: there.name };
      }),
    ),

    answer(verifyMerchant, ({ merchant_id: id, despite_name: despiteName }, { actor }) =>
      changingMerchant(prisma, id, async (tx, merchant) => {
        if (await hasKeys(tx, id, "live")) throw alreadyVerified();
        assertMayHaveKey("live", { ...merchant, verified_at: merchant.now });
        const keys = newKeyPair("live", randomInt, actor);
        if (!merchant.verified_at) await approve(tx, merchant, { banks, despiteName });
        await addKeys(tx, id, keys.records);
        return { merchant_id: id, name: merchant.name, keys: { sk_live: keys.secret, pk_live: keys.public } };
      }),
    ),
  ];
}

function showMerchants(prisma: PrismaClient): Request[] {
  return [
    answer(readMerchants, async ({ merchant_ids }) => {
      const found = await prisma.merchant.findMany({ where: { id: { in: merchant_ids } } });
      const merchants = found.map(({ id, name, verifiedAt }) => ({
        merchant_id: id,
        name,
        verified_at: verifiedAt && instantOf(verifiedAt),
      }));
      return { merchants };
    }),

    answer(readAccountLimit, async ({ merchant_id: id }) => {
      const merchant = await prisma.merchant.findUnique({ where: { id }, select: { accountsPerHour: true } });
      if (!merchant) throw noSuchMerchant();
      return { accounts_per_hour: merchant.accountsPerHour };
    }),

    answer(showMerchant, async ({ merchant_id: id }) => {
      const merchant = await prisma.merchant.findUnique({
        where: { id },
        include: {
          keys: { orderBy: [{ expiresAt: { sort: "desc", nulls: "first" } }, { id: "desc" }], take: KEYS_SHOWN_MAX },
        },
      });
      if (!merchant) throw noSuchMerchant();
      return {
        merchant_id: id,
        name: merchant.name,
        verified_at: merchant.verifiedAt && instantOf(merchant.verifiedAt),
        suspension: merchant.suspendedAt && {
          since: instantOf(merchant.suspendedAt),
          reason: merchant.suspensionReason ?? "",
        },
        rate_limits: { accounts: merchant.accountsPerHour, reads: merchant.readsPerHour },
        keys: merchant.keys.map((key) => {
          const type = KeyType.parse(key);
          return {
            ...type,
            id: String(key.id),
            prefix: keyPrefix(type),
            last_four: key.lastFour,
            public_key: key.publicKey,
            last_used_at: key.lastUsedAt && instantOf(key.lastUsedAt),
            created_at: instantOf(key.createdAt),
            expires_at: key.expiresAt && instantOf(key.expiresAt),
            name: key.name,
            scopes: key.scopes.map((scope) => KeyScope.parse(scope)),
            addresses: key.addresses,
            made_by: Actor.nullable().parse(key.madeBy),
          };
        }),
        created_at: instantOf(merchant.createdAt),
      };
    }),
  ];
}

const alreadyVerified = () =>
  new Problem("conflict", "The merchant is already verified. To replace a lost live key, roll it.");

import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import {
  createMerchant,
  instantOf,
  Problem,
  readMerchants,
  registerMerchant,
  showMerchant,
  verifyMerchant,
} from "@collect/contracts";
import { KeyType, keyPrefix, newKeyPair, newMerchantId } from "../domain/api-key.ts";
import { addKeys, changingMerchant, hasKeys, noSuchMerchant } from "../store/merchants.ts";
import type { PrismaClient } from "../store/prisma.ts";
import { approve } from "../store/verifications.ts";

/** The most keys that are returned: the newest, including expired ones. */
const KEYS_SHOWN_MAX = 100;

export function merchantRequests(prisma: PrismaClient): Request[] {
  return [...makeMerchants(prisma), ...showMerchants(prisma)];
}

function makeMerchants(prisma: PrismaClient): Request[] {
  return [
    answer(createMerchant, async ({ name, rate_limits }, requestId) => {
      const keys = newKeyPair("test", randomInt);
      const { id } = await prisma.merchant.create({
        data: {
          id: newMerchantId(randomInt),
          name,
          accountsPerHour: rate_limits?.accounts,
          readsPerHour: rate_limits?.reads,
          keys: { create: keys.records },
          audit: { create: { action: "merchant.created", detail: { rate_limits }, requestId } },
        },
      });
      return { merchant_id: id, name, keys: { sk_test: keys.secret, pk_test: keys.public } };
    }),

    answer(registerMerchant, ({ merchant_id: id, name }, requestId) =>
      prisma.$transaction(async (tx) => {
        const { count } = await tx.merchant.createMany({ data: [{ id, name }], skipDuplicates: true });
        if (count === 1)
          await tx.auditEntry.create({ data: { merchantId: id, action: "merchant.registered", requestId } });
        const there = await tx.merchant.findUniqueOrThrow({ where: { id } });
        return { merchant_id: id, name: there.name };
      }),
    ),

    answer(verifyMerchant, ({ merchant_id: id }, requestId) =>
      changingMerchant(prisma, id, async (tx, merchant) => {
        if (await hasKeys(tx, id, "live")) throw alreadyVerified();
        const keys = newKeyPair("live", randomInt);
        const action = merchant.verified_at ? "keys.made" : "merchant.verified";
        if (!merchant.verified_at) await approve(tx, merchant);
        await addKeys(tx, id, { keys: keys.records, action, requestId });
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

    answer(showMerchant, async ({ merchant_id: id }) => {
      const merchant = await prisma.merchant.findUnique({
        where: { id },
        include: { keys: { orderBy: { id: "desc" }, take: KEYS_SHOWN_MAX } },
      });
      if (!merchant) throw noSuchMerchant();
      return {
        merchant_id: id,
        name: merchant.name,
        verified_at: merchant.verifiedAt && instantOf(merchant.verifiedAt),
        rate_limits: { accounts: merchant.accountsPerHour, reads: merchant.readsPerHour },
        keys: merchant.keys.map((key) => {
          const type = KeyType.parse(key);
          return {
            ...type,
            prefix: keyPrefix(type),
            last_four: key.lastFour,
            public_key: key.publicKey,
            last_used_at: key.lastUsedAt && instantOf(key.lastUsedAt),
            created_at: instantOf(key.createdAt),
            expires_at: key.expiresAt && instantOf(key.expiresAt),
          };
        }),
        created_at: instantOf(merchant.createdAt),
      };
    }),
  ];
}

const alreadyVerified = () =>
  new Problem("conflict", "The merchant is already verified. To replace a lost live key, roll it.");

import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import { createMerchant, instantOf, type Mode, Problem, showMerchant, verifyMerchant } from "@collect/contracts";
import { KeyType, keyPrefix, keyRecord, newApiKey, newMerchantId } from "../domain/api-key.ts";
import type { Records } from "../store/records.ts";

/** The keys that are shown are bounded: the newest, expired ones among them. */
const KEYS_SHOWN_MAX = 100;

export function answerMerchants(records: Records): Request[] {
  return [
    answer(createMerchant, async ({ name, rate_limits }, requestId) => {
      const keys = newKeyPair("test");
      const { id } = await records.merchant.create({
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

    answer(verifyMerchant, ({ merchant_id: id }, requestId) =>
      records.$transaction(async (tx) => {
        const verified = await tx.merchant.updateMany({
          where: { id, verifiedAt: null },
          data: { verifiedAt: new Date() },
        });
        if (verified.count === 0)
          throw (await tx.merchant.findUnique({ where: { id } })) ? alreadyVerified() : unknown();
        const keys = newKeyPair("live");
        const { name } = await tx.merchant.update({
          where: { id },
          data: {
            keys: { create: keys.records },
            audit: { create: { action: "merchant.verified", requestId } },
          },
        });
        return { merchant_id: id, name, keys: { sk_live: keys.secret, pk_live: keys.public } };
      }),
    ),

    answer(showMerchant, async ({ merchant_id: id }) => {
      const merchant = await records.merchant.findUnique({
        where: { id },
        include: { keys: { orderBy: { id: "desc" }, take: KEYS_SHOWN_MAX } },
      });
      if (!merchant) throw unknown();
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
            created_at: instantOf(key.createdAt),
            expires_at: key.expiresAt && instantOf(key.expiresAt),
          };
        }),
        created_at: instantOf(merchant.createdAt),
      };
    }),
  ];
}

/** The secret and the public key that a mode begins with. */
function newKeyPair(mode: Mode) {
  const secret = newApiKey({ kind: "secret", mode }, randomInt);
  const open = newApiKey({ kind: "public", mode }, randomInt);
  const records = [keyRecord(secret, { kind: "secret", mode }), keyRecord(open, { kind: "public", mode })];
  return { secret, public: open, records };
}

const unknown = () => new Problem("not_found", "There is no such merchant.");
const alreadyVerified = () =>
  new Problem("conflict", "The merchant is verified already; a lost live key is replaced by rolling it.");

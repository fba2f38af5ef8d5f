import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import { checkPublicKey, instantOf, makeKeys, Problem, rollKey } from "@collect/contracts";
import { keyRecord, newApiKey, newKeyPair } from "../domain/api-key.ts";
import { callerAsMerchant, type FindCaller, noPublicKey } from "../store/callers.ts";
import { addKeys, changingMerchant, hasKeys } from "../store/merchants.ts";
import { expireKeys, type PrismaClient } from "../store/prisma.ts";

const HOUR_MS = 3_600_000;

export function keyRequests({ prisma, findCaller }: { prisma: PrismaClient; findCaller: FindCaller }): Request[] {
  return [
    answer(checkPublicKey, async ({ key }) => {
      const found = await findCaller(key);
      if (found?.kind !== "public") throw noPublicKey();
      return { merchant: callerAsMerchant(found) };
    }),

    answer(makeKeys, ({ merchant_id, mode }, requestId) =>
      changingMerchant(prisma, merchant_id, async (tx, { verified_at }) => {
        if (mode === "live" && !verified_at) throw notVerified();
        if (await hasKeys(tx, merchant_id, mode)) return { made: null };
        const pair = newKeyPair(mode, randomInt);
        await addKeys(tx, merchant_id, { keys: pair.records, action: "keys.made", detail: { mode }, requestId });
        return { made: { secret: pair.secret, public: pair.public } };
      }),
    ),

    answer(rollKey, ({ merchant_id, mode, kind, overlap_hours }, requestId) =>
      changingMerchant(prisma, merchant_id, async (tx, { verified_at, now }) => {
        if (mode === "live" && !verified_at) throw notVerified();
        const expiry = new Date(now.getTime() + overlap_hours * HOUR_MS);
        await expireKeys(tx, { merchant_id, mode, kind }, expiry);
        const key = newApiKey({ kind, mode }, randomInt);
        const detail = { mode, kind, overlap_hours };
        await addKeys(tx, merchant_id, {
          keys: [keyRecord(key, { kind, mode })],
          action: "key.rolled",
          detail,
          requestId,
        });
        return { key, old_keys_expire_at: instantOf(expiry) };
      }),
    ),
  ];
}

const notVerified = () => new Problem("conflict", "Live keys are available once the merchant is verified.");

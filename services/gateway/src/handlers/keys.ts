import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import { checkPublicKey, instantOf, makeKeys, rollKey } from "@collect/contracts";
import { keyRecord, newApiKey, newKeyPair } from "../domain/api-key.ts";
import { assertMayHaveKey } from "../domain/standing.ts";
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

    answer(makeKeys, ({ merchant_id, mode }, { actor }) =>
      changingMerchant(prisma, merchant_id, async (tx, merchant) => {
        assertMayHaveKey(mode, merchant);
        if (await hasKeys(tx, merchant_id, mode)) return { made: null };
        const pair = newKeyPair(mode, randomInt, actor);
        await addKeys(tx, merchant_id, pair.records);
        return { made: { secret: pair.secret, public: pair.public } };
      }),
    ),

    answer(rollKey, ({ merchant_id, mode, kind, overlap_hours }, { actor }) =>
      changingMerchant(prisma, merchant_id, async (tx, merchant) => {
        assertMayHaveKey(mode, merchant);
        const expiry = new Date(merchant.now.getTime() + overlap_hours * HOUR_MS);
        await expireKeys(tx, { merchant_id, mode, kind }, expiry);
        const key = newApiKey({ kind, mode }, randomInt);
        await addKeys(tx, merchant_id, [keyRecord(key, { kind, mode, madeBy: actor })]);
        return { key, old_keys_expire_at: instantOf(expiry) };
      }),
    ),
  ];
}

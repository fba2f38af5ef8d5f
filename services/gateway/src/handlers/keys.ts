import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import { checkPublicKey, instantOf, Problem, rollKey } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { keyRecord, newApiKey } from "../domain/api-key.ts";
import { expireKeys, lockMerchant, type Records } from "../store/records.ts";
import { callerAsMerchant, findCaller, noPublicKey } from "./authentication.ts";

export function answerKeys({ records, pool }: { records: Records; pool: Pool }): Request[] {
  return [
    answer(checkPublicKey, async ({ key }) => {
      const found = await findCaller(pool, key);
      if (found?.kind !== "public") throw noPublicKey();
      return { merchant: callerAsMerchant(found) };
    }),

    answer(rollKey, ({ merchant_id, mode, kind, overlap_hours }, requestId) =>
      records.$transaction(async (tx) => {
        const merchant = await lockMerchant(tx, merchant_id, overlap_hours);
        if (!merchant) throw new Problem("not_found", "There is no such merchant.");
        if (mode === "live" && !merchant.verified)
          throw new Problem("conflict", "The merchant has no live keys before it is verified.");
        await expireKeys(tx, { merchant_id, mode, kind }, merchant.expiry);
        const key = newApiKey({ kind, mode }, randomInt);
        await tx.merchant.update({
          where: { id: merchant_id },
          data: {
            keys: { create: keyRecord(key, { kind, mode }) },
            audit: { create: { action: "key.rolled", detail: { mode, kind, overlap_hours }, requestId } },
          },
        });
        return { key, old_keys_expire_at: instantOf(merchant.expiry) };
      }),
    ),
  ];
}

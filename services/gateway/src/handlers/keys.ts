import { randomInt } from "node:crypto";
import { answer, type Request } from "@collect/bus";
import { Problem, rollKey } from "@collect/contracts";
import { instantOf } from "@collect/database";
import { keyRecord, newApiKey } from "../domain/api-key.ts";
import { expireKeys, lockMerchant, type Records } from "../store/records.ts";

export function answerKeys(records: Records): Request[] {
  return [
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

import { type Merchant, Problem } from "@collect/contracts";
import { type ByMode, isTransient, type Pool } from "@collect/database";
import { hashKey, isWellFormed, modeOf } from "../domain/api-key.ts";
import type { Budget } from "../domain/rate-limit.ts";
import { checkKey, type KeyCheck } from "./key-check.ts";

/** Looks up a key and notes its use. A mistyped key is refused without a query. */
export type FindCaller = (key: string, budget?: Budget) => Promise<KeyCheck | undefined>;

type Deps = { pools: ByMode<Pool>; usedKeys: { enqueue(keyId: bigint, at: number): void } };

export function findCallers({ pools, usedKeys }: Deps): FindCaller {
  return async (key, budget) => {
    if (!isWellFormed(key)) return;
    try {
      const found = await checkKey(pools[modeOf(key)], hashKey(key), budget ?? null);
      if (found) usedKeys.enqueue(found.key_id, found.now);
      return found;
    } catch (cause) {
      if (!isTransient(cause)) throw cause;
      throw new Problem("service_unavailable", "API keys cannot be verified right now. Try again shortly.", { cause });
    }
  };
}

export const callerAsMerchant = ({ merchant_id, name, mode }: KeyCheck): Merchant => ({ id: merchant_id, name, mode });

export const noPublicKey = () =>
  new Problem("invalid_api_key", "Send a valid public key as Authorization: Bearer pk_….");

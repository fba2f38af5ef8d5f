import { type Merchant, Problem } from "@collect/contracts";
import { type ByMode, isTransient, type Pool } from "@collect/database";
import { hashKey, isWellFormed, modeOf } from "../domain/api-key.ts";
import { checkKey, type KeyCheck, type KeyUse } from "./key-check.ts";

/** Looks up a key and notes its use. A mistyped key is refused without a query. */
export type FindCaller = (key: string, use?: KeyUse) => Promise<KeyCheck | undefined>;

type Deps = { pools: ByMode<Pool>; usedKeys: { enqueue(keyId: bigint, at: number): void } };

export function findCallers({ pools, usedKeys }: Deps): FindCaller {
  return async (key, use = {}) => {
    if (!isWellFormed(key)) return;
    try {
      const found = await checkKey(pools[modeOf(key)], hashKey(key), use);
      if (found && !found.usable) throw notVerified();
      if (found) usedKeys.enqueue(found.key_id, found.now);
      return found;
    } catch (cause) {
      if (!isTransient(cause)) throw cause;
      throw new Problem("service_unavailable", "API keys cannot be verified right now. Try again shortly.", { cause });
    }
  };
}

/** No statement makes such a key: whoever reached it went past this service. A suspended merchant's key still reads. */
const notVerified = () =>
  new Problem("verification_required", "This business is not verified. Use a test key until it is.");

export const callerAsMerchant = ({ merchant_id, name, mode }: KeyCheck): Merchant => ({ id: merchant_id, name, mode });

export const noPublicKey = () =>
  new Problem("invalid_api_key", "Send a valid public key as Authorization: Bearer pk_….");

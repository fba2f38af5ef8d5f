import type { Mode } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { claimOf, type DueDelivery, merchantsWithDue, walkToDue } from "../store/claiming.ts";
import type { QueuesCapacity } from "./queues.ts";

/** Merchants served by one claim. */
const MERCHANTS_MAX = 32;
/** After a walk over all merchants comes a pause of so many times its duration, so that walks take a twentieth of the time, up to the longest pause. */
const WALK_PAUSES = 19;
const WALK_PAUSE_MAX_MS = 30_000;

type Deps = { pool: Pool; mode: Mode; leaseMs: number; pollMs: number };

/**
 * Claims due deliveries of one mode, a share for each merchant. A merchant that was seen to have something due is remembered until
 * it has been claimed. The one that was not served for longest comes first, so none starves; a full queue is not read for.
 */
export function createClaims({ pool, mode, leaseMs, pollMs }: Deps) {
  const merchants = new Set<string>();
  let walkAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    for (const { merchant_id } of await merchantsWithDue(pool, mode)) merchants.add(merchant_id);
    const began = performance.now();
    if (began < walkAt) return;
    for (const { merchant_id } of await walkToDue(pool, mode)) merchants.add(merchant_id);
    const ended = performance.now();
    walkAt = ended + Math.max(pollMs, Math.min(WALK_PAUSES * (ended - began), WALK_PAUSE_MAX_MS));
  }

  return async ({ queues, otherFree }: QueuesCapacity): Promise<DueDelivery[]> => {
    await look();
    const freeOf = new Map(queues.map(({ merchantId, free }) => [merchantId, free]));
    const seen = [...merchants]
      .map((merchantId) => ({ merchantId, mode, free: freeOf.get(merchantId) ?? otherFree }))
      .filter(({ free }) => free > 0);
    // Until one still has something: another replica may have claimed what many of them had.
    for (let next = 0; next < seen.length; next += MERCHANTS_MAX) {
      const served = seen.slice(next, next + MERCHANTS_MAX);
      for (const { merchantId } of served) merchants.delete(merchantId);
      const claimed = await claimOf(pool, served, leaseMs);
      const numbers = Map.groupBy(claimed, ({ merchant_id }) => merchant_id);
      // It had as much as its queue had capacity for, so perhaps more.
      for (const { merchantId, free } of served)
        if (numbers.get(merchantId)?.length === free) merchants.add(merchantId);
      if (claimed.length > 0) return claimed;
    }
    return [];
  };
}

import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "@collect/database";
import { countInFlight } from "../store/held-transfers.ts";

/** Longer than the bank's time-out, shorter than the deadlines of the requests that wait. */
const DRAIN_MAX_MS = 12_000;
const POLL_MS = 25;

export type Draining = { pool: Pool; merchantId: string | null; leaseMs: number };

/**
 * Waits until the bank has answered for every payout it was called for, and returns how many it has not answered in time. Called
 * after payouts were forbidden by a commit. A payout that can still be sent was claimed before that commit was read, its claim is
 * committed before it asks, and so it is counted here until its call has ended.
 */
export async function drain({ pool, ...whose }: Draining): Promise<number> {
  const end = performance.now() + DRAIN_MAX_MS;
  let left = await countInFlight(pool, whose);
  while (left > 0 && performance.now() < end) {
    await pause(POLL_MS);
    left = await countInFlight(pool, whose);
  }
  return left;
}

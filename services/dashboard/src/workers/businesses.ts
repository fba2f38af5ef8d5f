import type { Bus } from "@collect/bus";
import { registerMerchant } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, interval, type Logger } from "@collect/runtime";
import { finishBusiness, listUnfinished } from "../store/businesses.ts";

const EVERY_MS = 15_000;

/** Retries the registration of businesses that was interrupted. Replicas may do so concurrently, because the id is the same. */
export function finishBusinesses({
  pool,
  bus,
  log,
  everyMs = EVERY_MS,
}: {
  pool: Pool;
  bus: Bus;
  log: Logger;
  everyMs?: number;
}): Component {
  return interval({ name: "businesses", everyMs, log }, async (signal) => {
    for (const { id, name } of await listUnfinished(pool)) {
      if (signal.aborted) return;
      await bus.request(registerMerchant, { merchant_id: id, name });
      await finishBusiness(pool, id);
    }
  });
}

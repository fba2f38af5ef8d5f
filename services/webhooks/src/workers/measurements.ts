import { MODES } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { deliveriesHeld, deliveriesWaiting } from "@collect/telemetry";
import { countHeld, countWaiting } from "../store/backlog.ts";

/** What is not delivered yet. */
export function measureDeliveries(pool: Pool): Component {
  return measuring({
    deliveries: {
      gauges: [deliveriesWaiting, deliveriesHeld],
      async measure() {
        const [waiting, held] = await Promise.all([countWaiting(pool), countHeld(pool)]);
        for (const mode of MODES) {
          deliveriesWaiting.set({ mode }, waiting.find((row) => row.mode === mode)?.count ?? 0);
          deliveriesHeld.set({ mode }, held.find((row) => row.mode === mode)?.count ?? 0);
        }
      },
    },
  });
}

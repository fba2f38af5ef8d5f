import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { payoutsOldestUnansweredAge, payoutsUnanswered } from "@collect/telemetry";
import { readUnanswered } from "../store/partner-health.ts";

/** The payouts that the bank has to answer. In test mode there is no bank. */
export function measurePayouts(pool: Pool): Component {
  const mode = "live";
  return measuring({
    payouts: {
      gauges: [payoutsUnanswered, payoutsOldestUnansweredAge],
      async measure() {
        const { count, oldestSentAt, now } = await readUnanswered(pool);
        payoutsUnanswered.set({ mode }, count);
        const ageMs = oldestSentAt ? Date.parse(now) - Date.parse(oldestSentAt) : 0;
        payoutsOldestUnansweredAge.set({ mode }, ageMs / 1_000);
      },
    },
  });
}

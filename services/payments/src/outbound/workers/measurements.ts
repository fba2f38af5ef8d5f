import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { payoutsOldestUnansweredAge, payoutsUnanswered, payoutsWithoutPartner } from "@collect/telemetry";
import type { PayoutPartners } from "../domain/payout-partners.ts";
import { readUnanswered } from "../store/partner-health.ts";
import { countWithoutPartner } from "../store/payout-partner-choices.ts";

/** The payouts that the bank has to answer, and the merchants whose payouts wait for a partner. In test mode there is no bank. */
export function measurePayouts(pool: Pool, { all }: Pick<PayoutPartners, "all">): Component {
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
    payout_partners: {
      gauges: [payoutsWithoutPartner],
      async measure() {
        const configured = all.map(({ id }) => id);
        payoutsWithoutPartner.set({ mode }, await countWithoutPartner(pool, configured));
      },
    },
  });
}

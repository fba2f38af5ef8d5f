import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { movementsMissingAtBank, statementAge, statementDaysOpen } from "@collect/telemetry";
import { countOpenDays, readAges } from "../store/days-open.ts";
import { countMissing } from "../store/missing.ts";

/**
 * Whether statements come and days are closed: both are the work of people and banks, so nothing else notices that they have stopped. And
 * what is missing at the bank, also while nothing can be compared anew.
 */
export function measureDays(pool: Pool): Component {
  return measuring({
    days: {
      gauges: [statementDaysOpen, statementAge],
      async measure() {
        const [days, ages] = [await countOpenDays(pool), await readAges(pool)];
        statementDaysOpen.set({}, days);
        // An account that has ended since is not shown any more.
        statementAge.reset();
        for (const { bank, age_s } of ages) statementAge.set({ bank }, age_s);
      },
    },
    missing: {
      gauges: [movementsMissingAtBank],
      async measure() {
        movementsMissingAtBank.set({}, (await countMissing(pool)).count);
      },
    },
  });
}

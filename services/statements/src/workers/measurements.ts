import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { statementAge, statementDaysOpen } from "@collect/telemetry";
import { countOpenDays, readAges } from "../store/days-open.ts";

/** Whether statements come and days are closed: both are the work of people and banks, so nothing else notices that they have stopped. */
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
  });
}

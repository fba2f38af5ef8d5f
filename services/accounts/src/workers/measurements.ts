import { MODES } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { intakeOldestAge, intakeUnfinished } from "@collect/telemetry";
import { measureUnfinished } from "../store/unfinished.ts";

/** The money that is on its way. */
export function measureIntake(pool: Pool): Component {
  return measuring({
    intake: {
      gauges: [intakeUnfinished, intakeOldestAge],
      async measure() {
        const rows = await measureUnfinished(pool);
        for (const mode of MODES) {
          const unfinished = rows.find((row) => row.mode === mode);
          intakeUnfinished.set({ mode }, unfinished?.count ?? 0);
          intakeOldestAge.set({ mode }, unfinished?.age_s ?? 0);
        }
      },
    },
  });
}

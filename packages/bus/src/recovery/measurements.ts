import type { Pool } from "@collect/database";
import { type Measurements, recoveryAge } from "@collect/telemetry";
import { runningRecovery } from "./epoch-store.ts";

/** For how long this database has been catching up after a restore. */
export const measureRecovery = (pool: Pool): Measurements => ({
  recovery: {
    gauges: [recoveryAge],
    async measure() {
      const running = await runningRecovery(pool);
      // Of a step that is over.
      recoveryAge.reset();
      if (running) recoveryAge.set({ step: running.step }, running.age_s);
    },
  },
});

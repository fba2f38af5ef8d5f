import { MODES } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { intakeOldestAge, intakeUnfinished, pooledAccounts } from "@collect/telemetry";
import type { Partners } from "../domain/partners.ts";
import { readPool } from "../store/pools.ts";
import { measureUnfinished } from "../store/unfinished.ts";
import { isPoolUsed } from "./pools.ts";

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

/** The accounts that are opened ahead. */
export function measurePools(pool: Pool, partners: Partners): Component {
  const pooled = partners.all.filter(({ issuer }) => issuer.kind === "from_pool");
  return measuring({
    pools: {
      gauges: [pooledAccounts],
      async measure() {
        for (const { id: partner } of pooled) {
          const { free, unanswered, set_aside } = await readPool(pool, partner);
          const isUsed = await isPoolUsed(pool, partners, partner);
          for (const [state, count] of Object.entries({ ...(isUsed && { free }), unanswered, set_aside }))
            pooledAccounts.set({ partner, state }, count);
        }
      },
    },
  });
}

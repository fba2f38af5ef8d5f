import { MODES } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { intakeOldestAge, intakeUnfinished, pooledAccounts, settledUnknown } from "@collect/telemetry";
import type { Partners } from "../domain/partners.ts";
import { readPool } from "../store/pools.ts";
import { countUnknown } from "../store/settled-transfers.ts";
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
        const counts = await Promise.all(
          pooled.map(async ({ id: partner }) => {
            const { free, unanswered, set_aside } = await readPool(pool, partner);
            const isUsed = await isPoolUsed(pool, partners, partner);
            return { partner, states: { ...(isUsed && { free }), unanswered, set_aside } };
          }),
        );
        // A partner that opens no accounts for merchants any more has no free ones.
        pooledAccounts.reset();
        for (const { partner, states } of counts)
          for (const [state, count] of Object.entries(states)) pooledAccounts.set({ partner, state }, count);
      },
    },
  });
}

const COUNTED_MAX = 10_000;
/** So long the partner may leave a question unanswered. */
const ANSWERED_WITHIN_MS = 3_600_000;

/** What partners settled, and of which nothing else is known although they have been asked. */
export function measureSettled(pool: Pool, partners: Partners, { afterMs }: { afterMs: number }): Component {
  const asked = partners.all.flatMap(({ id, lookup }) => (lookup ? id : []));
  return measuring({
    settled: {
      gauges: [settledUnknown],
      async measure() {
        const rows = await countUnknown(pool, { afterMs: afterMs + ANSWERED_WITHIN_MS, limit: COUNTED_MAX });
        const counts = new Map(rows.map(({ bank, count }) => [bank, count]));
        // One that was taken out of the configuration has none once nothing of it is left.
        settledUnknown.reset();
        for (const partner of new Set([...asked, ...counts.keys()]))
          settledUnknown.set({ partner }, counts.get(partner) ?? 0);
      },
    },
  });
}

import type { Pool } from "@collect/database";
import { type Component, measuring } from "@collect/runtime";
import { ledgerAuditAge, ledgerAuditDifferences } from "@collect/telemetry";
import { readProofs } from "../store/audit-progress.ts";

/** How old the proofs of the self-audit are, and what they hold. A part that has never been proven has no age yet. */
export function measureAudit(pool: Pool): Component {
  return measuring({
    ledger_audit: {
      gauges: [ledgerAuditAge, ledgerAuditDifferences],
      async measure() {
        for (const { part, age_s, differences } of await readProofs(pool)) {
          if (age_s !== null) ledgerAuditAge.set({ part }, age_s);
          ledgerAuditDifferences.set({ part }, differences);
        }
      },
    },
  });
}

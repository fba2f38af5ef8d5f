import { answer, type Request } from "@collect/bus";
import { getCompletenessProof } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { accountsParts, OVERDUE_S } from "../domain/audit-parts.ts";
import { readDifferences, readProof, readWaiting } from "../store/audit.ts";
import { countOverdueReversals, readReversalProof } from "../store/reversal-proof.ts";
import { countQuarantined, readUnfinished } from "../store/unfinished.ts";

/** The result of the last comparison of the services; only unfinished and quarantined transfers are counted now. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(getCompletenessProof, async () => {
      const [proof, found, waiting, unfinished, quarantined, reversals, overdueReversals] = await Promise.all([
        readProof(pool),
        readDifferences(pool),
        readWaiting(pool),
        readUnfinished(pool, OVERDUE_S),
        countQuarantined(pool),
        readReversalProof(pool),
        countOverdueReversals(pool, OVERDUE_S),
      ]);
      const differences = found.map(({ held, ...difference }) => ({ ...difference, ...held }));
      return {
        proven_at: proof.proven_at,
        from: proof.recent_from,
        to: proof.recent_to,
        differences,
        unfinished,
        parts: accountsParts({
          ...proof,
          ...{ differences, waiting, unfinished, quarantined, reversals, overdueReversals },
        }),
      };
    }),
  ];
}

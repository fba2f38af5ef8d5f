import { answer, type Request } from "@collect/bus";
import { countMinutes, listAuditedReversals, listReceived, listUnfinished, ROWS_MAX } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { paymentsParts } from "../domain/audit-parts.ts";
import { countOverdueSessions } from "../inbound/store/due-sessions.ts";
import { received } from "../inbound/store/received-minutes.ts";
import { auditedReversals } from "../inbound/store/reversals.ts";
import { countOverdueBatches } from "../outbound/store/transfer-batches.ts";
import { countOverdueTransfers } from "../outbound/store/transfer-proof.ts";
import { countUnfinishedTransfers } from "../outbound/store/transfers.ts";
import { readProgress } from "../store/audit-progress.ts";

/**
 * Answers the self-audit: collections received by minute, unfinished work, and what payments has proven about itself.
 */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(countMinutes.payments, async (span) => ({ minutes: await received.minutes(pool, span) })),
    answer(listReceived.payments, async (span) => ({ rows: await received.rows(pool, { ...span, limit: ROWS_MAX }) })),

    answer(listAuditedReversals.payments, async (page) => ({ reversals: await auditedReversals(pool, page) })),

    answer(listUnfinished, async () => {
      const [transfers, sessions, progress, overdueTransfers, overdueFiles] = await Promise.all([
        countUnfinishedTransfers(pool),
        countOverdueSessions(pool),
        readProgress(pool),
        countOverdueTransfers(pool),
        countOverdueBatches(pool),
      ]);
      const [{ now } = { now: "" }] = progress;
      return {
        transfers,
        sessions,
        parts: paymentsParts({
          now,
          progress,
          unfinishedTransfers: transfers,
          overdueTransfers,
          overdueFiles,
          overdueSessions: sessions,
        }),
      };
    }),
  ];
}

import { answer, type Request } from "@collect/bus";
import { countMinutes, listUnfinished } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countOverdueSessions } from "../store/due-sessions.ts";
import { receivedMinutes } from "../store/received-minutes.ts";
import { countUnfinishedTransfers } from "../store/transfers.ts";

/** What the self-audit asks: what came by the minute, and what has not come to its end. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(countMinutes.payments, async (span) => ({ minutes: await receivedMinutes(pool, span) })),

    answer(listUnfinished, async () => ({
      transfers: await countUnfinishedTransfers(pool),
      sessions: await countOverdueSessions(pool),
    })),
  ];
}

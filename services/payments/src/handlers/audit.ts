import { answer, type Request } from "@collect/bus";
import { countMinutes, listUnfinished, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countOverdueSessions } from "../store/due-sessions.ts";
import { receivedMinutes } from "../store/received-minutes.ts";
import { countUnfinishedTransfers } from "../store/transfers.ts";

const DAY_MS = 24 * 3_600_000;

/** What the self-audit asks: what came by the minute, and what has not come to its end. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(countMinutes.payments, async ({ from, to }) => {
      const span = Date.parse(to) - Date.parse(from);
      if (span < 0 || span > DAY_MS)
        throw new Problem("validation_failed", "The minutes must be of one day at most.", {
          errors: [{ param: "to", code: "invalid_range", message: "must be at most a day after from" }],
        });
      return { minutes: await receivedMinutes(pool, { from, to }) };
    }),

    answer(listUnfinished, async () => ({
      transfers: await countUnfinishedTransfers(pool),
      sessions: await countOverdueSessions(pool),
    })),
  ];
}

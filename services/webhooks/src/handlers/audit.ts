import { answer, type Request } from "@collect/bus";
import { countMinutes, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { countReceived } from "../store/received-minutes.ts";

const DAY_MS = 24 * 3_600_000;

/** What the self-audit compares between the stages of the path. */
export function auditRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(countMinutes.webhooks, async ({ from, to }) => {
      const span = Date.parse(to) - Date.parse(from);
      if (span < 0 || span > DAY_MS)
        throw new Problem("validation_failed", "The minutes must be of one day at most.", {
          errors: [{ param: "to", code: "invalid_range", message: "must be at most a day after from" }],
        });
      return { minutes: await countReceived(pool, { from, to }) };
    }),
  ];
}

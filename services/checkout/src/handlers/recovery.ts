import { answer, type Request } from "@collect/bus";
import { listSessionCopies } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { copiesSince } from "../store/session-views.ts";

/** A copy is up to 2 kB and a message of the broker at most 1 MB. */
const PAGE = 300;

/** What payments asks when its database was restored. */
export function recoveryRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(listSessionCopies, async ({ since, after }) => {
      const sessions = await copiesSince(pool, { since, after, limit: PAGE });
      return { sessions, next: sessions.length < PAGE ? null : (sessions.at(-1)?.reference ?? null) };
    }),
  ];
}

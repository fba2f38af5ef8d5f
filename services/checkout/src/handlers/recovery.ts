import { answer, type Request } from "@collect/bus";
import { listSessionCopies } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { copiesSince } from "../store/session-views.ts";

/** A copy is at most 2 kB, and a NATS message at most 1 MB. */
const PAGE = 300;

/** Answers payments when its database was restored. */
export function recoveryRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(listSessionCopies, async ({ since, after }) => {
      const sessions = await copiesSince(pool, { since, after, limit: PAGE });
      return { sessions, next: sessions.length < PAGE ? null : (sessions.at(-1)?.reference ?? null) };
    }),
  ];
}

import { answer, type Request } from "@collect/bus";
import { listSessionCopies, storeSessionCopies } from "@collect/contracts";
import { eraseDeadLetters, type Pool } from "@collect/database";
import { applyNewerSnapshots, copiesSince } from "../store/session-views.ts";

/** A copy is at most 2 kB, and a NATS message at most 1 MB. */
const PAGE = 300;

/** Answers payments: when its database was restored, and when a person was erased. */
export function recoveryRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(listSessionCopies, async ({ since, after }) => {
      const sessions = await copiesSince(pool, { since, after, limit: PAGE });
      return { sessions, next: sessions.length < PAGE ? null : (sessions.at(-1)?.reference ?? null) };
    }),
    answer(storeSessionCopies, async ({ sessions }) => {
      await applyNewerSnapshots(pool, sessions);
      await eraseDeadLetters(
        pool,
        sessions.map(({ reference }) => reference),
      );
      return {};
    }),
  ];
}

import { answer, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { listSessionCopies, storeSessionCopies } from "@collect/contracts";
import { eraseDeadLetters, type Pool } from "@collect/database";
import { applyNewerSnapshots, copiesSince } from "../store/session-views.ts";

/** Answers payments: when its database was restored, and when a person was erased. */
export function recoveryRequests({ pool }: { pool: Pool }): Request[] {
  return [
    answer(listSessionCopies, async ({ since, after }) => {
      const sessions = await copiesSince(pool, { since, after, limit: ROWS_A_MESSAGE });
      return { sessions, next: sessions.length < ROWS_A_MESSAGE ? null : (sessions.at(-1)?.reference ?? null) };
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

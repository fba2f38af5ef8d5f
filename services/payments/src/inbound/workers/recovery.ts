import { type Bus, type Recover, redriveUntilStored, untilConsumed } from "@collect/bus";
import {
  collectionSucceeded,
  listSessionCopies,
  SessionSnapshot,
  sessionChanged,
  type WireResult,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { COLLECTIONS } from "../domain/decided.ts";
import { countMinutes } from "../store/collection-facts.ts";
import { type KnownCopy, restoreSessions } from "../store/session-recovery.ts";

type Deps = { pool: Pool; bus: Bus; log: Logger };

/**
 * Restores sessions from their copies. Collections are re-driven, and get the references and sessions that webhooks
 * recorded for them.
 */
export async function recoverInbound(deps: Deps, ...[recovery, progress]: Parameters<Recover>): Promise<void> {
  const { pool, bus } = deps;
  // A checkout that was down lacks copies: slots of the missing sessions would be given to others. And webhooks cannot
  // report decisions on collections that it has not recorded yet, which would be decided a second time.
  await untilConsumed(bus, [sessionChanged, collectionSucceeded], progress);
  for (let after: string | null = ""; after !== null; ) {
    await progress.step("sessions");
    after = await recoverPageOfSessions(deps, { since: recovery.restoredTo, after });
  }
  // Collections wait until this step: the sessions that they match may not be restored yet.
  await progress.step(COLLECTIONS);
  const held = (span: { from: string; to: string }) => countMinutes(pool, span);
  await redriveUntilStored({ bus, recovery, progress, kinds: ["collection"], held });
}

/** Returns the cursor of the next page; null after the last. */
async function recoverPageOfSessions(
  { pool, bus, log }: Deps,
  page: { since: string; after: string },
): Promise<string | null> {
  const copiesPage: WireResult<typeof listSessionCopies> = await bus.request(listSessionCopies, page);
  const copies = copiesPage.sessions.map((copy) => SessionSnapshot.parse(copy));
  const known = copies.filter((copy): copy is KnownCopy => copy.kept !== undefined);
  for (const session of await restoreSessions(pool, known))
    log.error({ alarm: "session_lost", session }, "a session cannot be restored");
  return copiesPage.next;
}

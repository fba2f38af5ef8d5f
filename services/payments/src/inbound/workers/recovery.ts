import { type Bus, type Recover, redriveUntilHeld, untilRead } from "@collect/bus";
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
import { type KnownCopy, learnSessions } from "../store/session-recovery.ts";

type Deps = { pool: Pool; bus: Bus; log: Logger };

/** Sessions are learned from their copies; collections come round again, and are what webhooks recorded of them. */
export async function recoverInbound(deps: Deps, ...[recovery, progress]: Parameters<Recover>): Promise<void> {
  const { pool, bus } = deps;
  // A checkout that was away lacks copies, whose slots would be given to others; and of collections that webhooks has not
  // recorded yet it cannot say what was decided, which would be decided anew beside it.
  await untilRead(bus, [sessionChanged, collectionSucceeded], progress);
  for (let after: string | null = ""; after !== null; ) {
    await progress.step("sessions");
    after = await recoverPageOfSessions(deps, { since: recovery.restoredTo, after });
  }
  // Until then collections wait: what they would be matched to may not be here yet.
  await progress.step(COLLECTIONS);
  const held = (span: { from: string; to: string }) => countMinutes(pool, span);
  await redriveUntilHeld({ bus, recovery, progress, kinds: ["collection"], held });
}

/** Gives where the next page begins; null after the last. */
async function recoverPageOfSessions(
  { pool, bus, log }: Deps,
  place: { since: string; after: string },
): Promise<string | null> {
  const page: WireResult<typeof listSessionCopies> = await bus.request(listSessionCopies, place);
  const copies = page.sessions.map((copy) => SessionSnapshot.parse(copy));
  const known = copies.filter((copy): copy is KnownCopy => copy.kept !== undefined);
  for (const session of await learnSessions(pool, known))
    log.error({ alarm: "session_lost", session }, "a session cannot be learned again");
  return page.next;
}

import { type Bus, pages, type Recover, redriveUntilHeld, untilRead } from "@collect/bus";
import {
  collectionSucceeded,
  listSessionCopies,
  listTransferReserves,
  SessionSnapshot,
  sessionChanged,
  type WireResult,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { countMinutes, learnTransfers, suspectReserved, unsureSince } from "../store/recovery.ts";
import { type KnownCopy, learnSessions } from "../store/session-recovery.ts";

/** Until then collections wait: what they would be matched to may not be here yet. */
export const COLLECTIONS = "collections";

/**
 * How payments catches up after a restore. Transfers are learned from what the ledger decided about them, and from there on
 * only asked about at the bank; sessions are learned from their copies; collections come round again, and are what webhooks
 * recorded of them.
 */
export function createRecover({ pool, bus, log }: { pool: Pool; bus: Bus; log: Logger }): Recover {
  return async (recovery, progress) => {
    await progress.step("transfers");
    await suspectReserved(pool);
    const since = await unsureSince(pool, recovery.restoredTo);
    const lists = pages((after) => bus.request(listTransferReserves, { since, after }));
    for await (const reserves of lists) {
      for (const transfer of await learnTransfers(pool, reserves))
        log.error({ alarm: "order_unknown", transfer }, "the ledger holds money for a transfer that nobody can name");
      await progress.step("transfers");
    }
    // A checkout that was away lacks copies, whose slots would be given to others; and of collections that webhooks has not
    // recorded yet it cannot say what was decided, which would be decided anew beside it.
    await untilRead(bus, [sessionChanged, collectionSucceeded], progress);
    for (let after: string | null = ""; after !== null; ) {
      await progress.step("sessions");
      const page: WireResult<typeof listSessionCopies> = await bus.request(listSessionCopies, {
        since: recovery.restoredTo,
        after,
      });
      const copies = page.sessions.map((copy) => SessionSnapshot.parse(copy));
      const lost = await learnSessions(
        pool,
        copies.filter((copy): copy is KnownCopy => copy.kept !== undefined),
      );
      for (const session of lost) log.error({ alarm: "session_lost", session }, "a session cannot be learned again");
      after = page.next;
    }
    await progress.step(COLLECTIONS);
    const held = (span: { from: string; to: string }) => countMinutes(pool, span);
    await redriveUntilHeld({ bus, recovery, progress, kinds: ["collection"], held });
  };
}

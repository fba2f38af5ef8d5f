import { answer, type Bus, type Epochs, type Request } from "@collect/bus";
import {
  ERASED_MAX,
  eraseCollections,
  eraseSessions,
  findPersonSessions,
  findPersonTransfers,
  listErasureCopies,
  Problem,
  SessionSnapshot,
  storeSessionCopies,
} from "@collect/contracts";
import { eraseDeadLetters, type Pool, transaction } from "@collect/database";
import type { PaymentSession } from "../domain/session.ts";
import { snapshotOf } from "../domain/session-view.ts";
import { hasUnrecordedAttachment } from "../store/attachments.ts";
import {
  eraseCollections as eraseCollectionRows,
  eraseSessions as eraseSessionRows,
  erasuresSince,
  keepErasure,
  ownSessions,
} from "../store/erasures.ts";
import { countSessions, findTransfers } from "../store/persons.ts";

const PAGE = 500;

/** The part of payments and of the checkout's copies in an erasure. A database that is catching up finds too little: it refuses. */
export function erasureRequests({ pool, bus, epochs }: { pool: Pool; bus: Bus; epochs: Epochs }): Request[] {
  return [
    answer(findPersonSessions, async (person) => {
      epochs.assertCurrent();
      return countSessions(pool, person);
    }),
    answer(findPersonTransfers, async (person) => {
      epochs.assertCurrent();
      return findTransfers(pool, person);
    }),
    answer(eraseCollections, async ({ erasure, kind, intake_ids }) => {
      epochs.assertCurrent();
      const sessions = await transaction(pool, async (tx) => {
        await keepErasure(tx, erasure);
        await eraseDeadLetters(tx, intake_ids);
        // Its event may be on its way with the person's name, and webhooks erases what it has recorded.
        if (await hasUnrecordedAttachment(tx, intake_ids))
          throw new Problem("service_unavailable", "An event is on its way.");
        const references = await eraseCollectionRows(tx, { erasure, intakeIds: intake_ids });
        return eraseSessionRows(tx, references, kind);
      });
      await storeCopies(bus, sessions);
      return {};
    }),
    answer(eraseSessions, async ({ erasure, after }) => {
      epochs.assertCurrent();
      const sessions = await transaction(pool, async (tx) => {
        await keepErasure(tx, erasure);
        return eraseSessionRows(tx, await ownSessions(tx, erasure, after), erasure.kind);
      });
      await storeCopies(bus, sessions);
      return { next: sessions.length < ERASED_MAX ? null : (sessions.at(-1)?.reference ?? null) };
    }),
    answer(listErasureCopies, async (page) => {
      epochs.assertCurrent();
      return erasuresSince(pool, { ...page, limit: PAGE });
    }),
  ];
}

/** The checkout gets them with a response, which an event would not have: the erasure is not over before its copies are erased. */
async function storeCopies(bus: Bus, sessions: PaymentSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await bus.request(storeSessionCopies, {
    sessions: sessions.map((session) => SessionSnapshot.encode(snapshotOf(session))),
  });
}

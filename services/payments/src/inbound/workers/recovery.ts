import {
  type Bus,
  pages,
  type Recover,
  redriveReversalsUntilStored,
  redriveUntilStored,
  untilConsumed,
} from "@collect/bus";
import {
  collectionAttached,
  collectionSucceeded,
  listAttachments,
  listSessionCopies,
  SessionSnapshot,
  sessionChanged,
  type WireResult,
} from "@collect/contracts";
import { type Pool, transaction } from "@collect/database";
import type { Logger } from "@collect/runtime";
import { COLLECTIONS, REVERSALS } from "../domain/decided.ts";
import { snapshotOf } from "../domain/session-view.ts";
import { missingReversals } from "../store/reversals.ts";
import { type KnownCopy, restoreSessions } from "../store/session-recovery.ts";
import { clearUndecided, countSeen } from "../store/undecided-collections.ts";
import { attachAgain } from "../use-cases/attach-collection.ts";
import { decideUndecided } from "./undecided.ts";

type Attachment = WireResult<typeof listAttachments>["rows"][number];
type Deps = { pool: Pool; bus: Bus; log: Logger };

/**
 * Restores sessions from their copies. Collections are re-driven, and get the references and sessions that webhooks
 * recorded for them. Those of which webhooks has nothing are matched last.
 */
export async function recoverInbound(deps: Deps, ...[recovery, progress]: Parameters<Recover>): Promise<void> {
  const { pool, bus } = deps;
  // A checkout that was down lacks copies: slots of the missing sessions would be given to others. And webhooks cannot
  // report decisions on collections that it has not recorded yet, which would be decided a second time.
  await untilConsumed(bus, [sessionChanged, collectionSucceeded, collectionAttached], progress);
  for (let after: string | null = ""; after !== null; ) {
    await progress.step("sessions");
    after = await recoverPageOfSessions(deps, { since: recovery.restoredTo, after });
  }
  // Collections wait until this step: the sessions that they match may not be restored yet. Undecided ones wait longer.
  await clearUndecided(pool);
  await progress.step(COLLECTIONS);
  const held = (span: { from: string; to: string }) => countSeen(pool, span);
  await redriveUntilStored({ bus, recovery, progress, kinds: ["collection"], held });
  await progress.step("attachments");
  const lists = pages((after) => bus.request(listAttachments, { since: recovery.restoredTo, after }));
  for await (const attachments of lists) {
    for (const attachment of attachments) {
      await restoreAttachment(deps, attachment);
      await progress.step("attachments");
    }
  }
  await recoverReversals(deps, recovery, progress);
  if (await decideUndecided(deps, progress)) await recoverReversals(deps, recovery, progress);
  await clearUndecided(pool);
}

/** Those of collections that are stored: the others follow their collections, also after the recovery. */
const recoverReversals = ({ pool, bus }: Deps, ...[recovery, progress]: Parameters<Recover>): Promise<void> =>
  redriveReversalsUntilStored({
    ...{ bus, recovery, progress, step: REVERSALS },
    missing: (reversals) =>
      missingReversals(
        pool,
        reversals.filter(({ merchant }) => merchant !== null),
      ),
  });

/** What merchants were notified of, and this database may have lost: a person said it, and says it once. */
async function restoreAttachment({ pool, bus, log }: Deps, attachment: Attachment): Promise<void> {
  const { merchant, intake_id: intakeId, attached_at: at, metadata = {} } = attachment;
  const match = {
    paymentReference: attachment.payment_reference,
    merchantReference: attachment.merchant_reference,
    customerReference: attachment.customer_reference,
    customerName: attachment.customer_name,
    metadata,
  };
  const { isKnown, changed } = await transaction(pool, (tx) => attachAgain(tx, { merchant, intakeId, match, at }));
  if (changed.length > 0) await bus.publish(sessionChanged, changed.map(snapshotOf));
  if (!isKnown) log.error({ alarm: "attachment_lost", intake_id: intakeId }, "an attached collection is not there");
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

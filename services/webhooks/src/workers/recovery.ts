import { type Bus, pages, type Recover, slices, untilConsumed } from "@collect/bus";
import {
  attachmentRecorded,
  collectionAttached,
  collectionRecorded,
  collectionReversed,
  collectionSucceeded,
  eraseAgain,
  listRecordedCollections,
  listTransferEvents,
  listWebhookActs,
  readCollectionFacts,
  reversalRecorded,
  transferCompleted,
  transferRecorded,
  type WireResult,
} from "@collect/contracts";
import type { Pool } from "@collect/database";
import { failpoint, type Logger } from "@collect/runtime";
import {
  collectionAttached as attachedEvent,
  collectionKey,
  collectionReversal,
  collectionSuccess,
  parseTestKey,
  testEvent,
  transferEvent,
} from "../domain/event.ts";
import { createLostChanges } from "../domain/lost-changes.ts";
import { recordedKeys } from "../store/events.ts";
import { pauseForLost } from "../store/holds.ts";
import {
  type FirstRestored,
  gapsSince,
  moveDeliveryNumbers,
  type NumberedDraft,
  restoreEvents,
} from "../store/recovery.ts";

type RecordedCollection = WireResult<typeof listRecordedCollections>["rows"][number];
type Deps = { pool: Pool; bus: Bus; log: Logger };
type OtherEvent = WireResult<typeof listTransferEvents>["rows"][number];

/**
 * How webhooks catches up after a restore. Accounts and payments have stored the numbers of the events that they were notified
 * of, and payments also their content: each is recorded again under its numbers, with the same bytes. Until all of them are
 * recorded, no event gets a number, and nothing is sent: the audit log says first whose URL may be a stranger's by now.
 */
export function createRecover({ pool, bus, log }: Deps): Recover {
  return async (recovery, progress) => {
    const since = recovery.restoredTo;
    await progress.step("endpoints changed since, by the audit log");
    await pauseChanged({ pool, bus, log }, since, progress);
    failpoint("paused");
    await progress.step("reading recorded events");
    await untilConsumed(bus, [collectionRecorded, attachmentRecorded, reversalRecorded, transferRecorded], progress);

    let highest = 0;
    const first = new Map<string, FirstRestored>();
    const restore = async (drafts: NumberedDraft[]) => {
      for (const { key, merchant, sequence } of await restoreEvents(pool, drafts))
        log.error(
          { alarm: "number_taken", key, merchant_id: merchant.id, mode: merchant.mode, sequence },
          "the number of this event was assigned to another before the restore was detected; it is not recorded",
        );
      for (const { merchant, sequence } of drafts) {
        const key = `${merchant.mode} ${merchant.id}`;
        const lowest = Math.min(sequence, first.get(key)?.first ?? sequence);
        first.set(key, { merchantId: merchant.id, mode: merchant.mode, first: lowest });
      }
    };
    const trackHighest = (rows: { delivery_number: number | null }[]) => {
      for (const { delivery_number } of rows) highest = Math.max(highest, delivery_number ?? 0);
    };
    for await (const rows of pages((after) => bus.request(listRecordedCollections, { since, after }))) {
      await progress.step("collections");
      trackHighest(rows);
      for (const slice of slices(rows)) await restore(await lostCollections({ pool, bus }, slice));
    }
    for await (const rows of pages((after) => bus.request(listTransferEvents, { since, after }))) {
      await progress.step("transfers, attachments and reversals");
      trackHighest(rows);
      await restore(rows.flatMap(otherDraft));
    }

    await progress.step("numbers");
    for (const gap of await gapsSince(pool, [...first.values()]))
      log.error(
        { alarm: "events_missing", ...gap },
        "events of this merchant have numbers that no other service was notified of; the numbers are not assigned again",
      );
    await moveDeliveryNumbers(pool, highest);
    // The backup contains what was erased since.
    await progress.step("erasures");
    await bus.request(eraseAgain, { since });
  };
}

/**
 * Pauses every endpoint that was changed since, until somebody has looked at it: its URL, secret or pause is an earlier one. An act
 * is in the audit log before it is done, so none is missing that is done.
 */
async function pauseChanged({ pool, bus, log }: Deps, since: string, progress: Parameters<Recover>[1]): Promise<void> {
  const changes = createLostChanges();
  for await (const acts of pages((after) => bus.request(listWebhookActs, { since, after }))) {
    await progress.step("endpoints changed since, by the audit log");
    changes.add(acts);
  }
  for (const slice of slices(changes.all()))
    for (const { merchant_id, mode } of await pauseForLost(pool, slice))
      log.error(
        { alarm: "endpoint_paused", merchant_id, mode },
        "this endpoint was changed after the restore point; nothing is sent to it until it is resumed",
      );
}

async function lostCollections(
  { pool, bus }: { pool: Pool; bus: Bus },
  rows: RecordedCollection[],
): Promise<NumberedDraft[]> {
  const known = await recordedKeys(
    pool,
    rows.map(({ intake_id }) => collectionKey(intake_id)),
  );
  const lost = new Map(
    rows.filter(({ intake_id }) => !known.has(collectionKey(intake_id))).map((row) => [row.intake_id, row]),
  );
  if (lost.size === 0) return [];
  const { collections } = await bus.request(readCollectionFacts, { intake_ids: [...lost.keys()] });
  if (collections.length < lost.size) throw new Error("payments does not have all of the collections yet");
  return collections.flatMap((wire): NumberedDraft[] => {
    const collection = collectionSucceeded.data.parse(wire);
    const numbers = lost.get(collection.intakeId);
    if (!numbers) return [];
    const recordedAt = new Date(numbers.recorded_at ?? collection.postedAt);
    return [{ ...collectionSuccess(collection, recordedAt), ...numbersOf(numbers) }];
  });
}

function otherDraft(event: OtherEvent): NumberedDraft[] {
  const recordedAt = new Date(event.recorded_at);
  if (event.attached) {
    const collection = collectionAttached.data.parse(event.attached);
    return [{ ...attachedEvent(collection, recordedAt), ...numbersOf(event) }];
  }
  if (event.reversed) {
    const reversal = collectionReversed.data.parse(event.reversed);
    return [{ ...collectionReversal(reversal, recordedAt), ...numbersOf(event) }];
  }
  if (event.transfer) {
    const transfer = transferCompleted.data.parse(event.transfer);
    return [{ ...transferEvent(transfer, recordedAt), ...numbersOf(event) }];
  }
  const requestId = parseTestKey(event.key, event.merchant);
  return requestId ? [{ ...testEvent(event.merchant, requestId, recordedAt), ...numbersOf(event) }] : [];
}

const numbersOf = ({ sequence, delivery_number }: { sequence: number; delivery_number: number | null }) => ({
  sequence,
  deliveryNumber: delivery_number,
});

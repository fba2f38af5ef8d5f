import { type Consumer, consumeByStatement } from "@collect/bus";
import { collectionRecorded, collectionSucceeded, type Fact } from "@collect/contracts";
import { readTimes } from "@collect/database";
import { collectionKey, collectionSuccess } from "../domain/event.ts";
import type { RecordedEvent } from "../store/events.ts";
import { type Recording, record } from "../use-cases/record-events.ts";

type Collection = Fact<typeof collectionSucceeded>;

/** Records the event of each collection with its numbers, publishes that, and enqueues new deliveries at the sender. */
export function recordCollections(recording: Recording): Consumer {
  return consumeByStatement(collectionSucceeded, { batchMax: 256 }, async (context, collections) => {
    const timeOf = await readTimes(
      context.tx,
      collections.map(({ merchant }) => merchant),
    );
    const drafts = collections
      .toSorted(asReceived)
      .map((collection) => collectionSuccess(collection, timeOf(collection.merchant)));
    const byKey = await record(recording, context, drafts);
    context.publish(
      collectionRecorded,
      collections.flatMap((collection) => recorded(collection, byKey)),
    );
  });
}

/** Numbers the events of one batch in the order in which the money was received. */
function asReceived(a: Collection, b: Collection): number {
  return Date.parse(a.receivedAt) - Date.parse(b.receivedAt) || (a.intakeId < b.intakeId ? -1 : 1);
}

function recorded(collection: Collection, byKey: Map<string, RecordedEvent>): Fact<typeof collectionRecorded>[] {
  const event = byKey.get(collectionKey(collection.intakeId));
  if (!event) return [];
  return [
    {
      intakeId: collection.intakeId,
      merchant: collection.merchant,
      reference: event.reference,
      sequence: Number(event.sequence),
      deliveryNumber: event.delivery_number === null ? null : Number(event.delivery_number),
      recordedAt: event.created_at,
      bodyHash: event.body_hash,
    },
  ];
}

import { type Consumer, consumeByStatement } from "@collect/bus";
import { collectionRecorded, collectionSucceeded, type Fact } from "@collect/contracts";
import { collectionKey, collectionSuccess } from "../domain/event.ts";
import { type RecordedEvent, recordEvents } from "../store/events.ts";
import { firstAttempts, type Job } from "../workers/job.ts";

type Collection = Fact<typeof collectionSucceeded>;

/** Records the event of each collection with its numbers, says so, and hands new deliveries straight to the sender. */
export function recordCollections(deps: { leaseMs: number; hand(jobs: Job[]): void }): Consumer {
  return consumeByStatement(
    collectionSucceeded,
    { batchMax: 256 },
    async ({ tx, publish, afterwards }, collections) => {
      const leaseEndsAt = performance.now() + deps.leaseMs;
      const now = new Date();
      const inOrder = collections.toSorted(asReceived);
      const drafts = inOrder.map((collection) => collectionSuccess(collection, now));
      const events = await recordEvents(tx, drafts, deps.leaseMs);
      const byKey = new Map(events.map((event) => [event.key, event]));
      publish(
        collectionRecorded,
        collections.flatMap((collection) => recorded(collection, byKey)),
      );
      afterwards(() => deps.hand(firstAttempts(drafts, byKey, leaseEndsAt)));
    },
  );
}

/** Money that came first is told first, as far as one batch knows. */
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
    },
  ];
}

import { type Consumer, consumeByStatement } from "@collect/bus";
import { attachmentRecorded, collectionAttached, type Fact } from "@collect/contracts";
import { readTimes } from "@collect/database";
import { attachedKey, collectionKey, collectionAttached as eventOf } from "../domain/event.ts";
import { type RecordedEvent, recordedKeys } from "../store/events.ts";
import { type Recording, record } from "../use-cases/record-events.ts";

type Attached = Fact<typeof collectionAttached>;

/**
 * Records the event of each attached collection, publishes that, and enqueues new deliveries at the sender. It follows the event
 * of the money: where that is not recorded yet, payments publishes it once more later.
 */
export function recordAttachments(recording: Recording): Consumer {
  return consumeByStatement(collectionAttached, { batchMax: 256 }, async (context, attached) => {
    const isRecorded = await recordedKeys(
      context.tx,
      attached.map(({ intakeId }) => collectionKey(intakeId)),
    );
    const due = attached.filter(({ intakeId }) => isRecorded.has(collectionKey(intakeId)));
    const timeOf = await readTimes(
      context.tx,
      due.map(({ merchant }) => merchant),
    );
    const drafts = due.map((collection) => eventOf(collection, timeOf(collection.merchant)));
    const byKey = await record(recording, context, drafts);
    context.publish(
      attachmentRecorded,
      due.flatMap((collection) => recorded(collection, byKey)),
    );
  });
}

function recorded({ intakeId, merchant }: Attached, byKey: Map<string, RecordedEvent>) {
  const event = byKey.get(attachedKey(intakeId));
  if (!event) return [];
  const { reference, sequence, delivery_number: number, created_at: recordedAt } = event;
  const deliveryNumber = number === null ? null : Number(number);
  return [{ intakeId, merchant, reference, sequence: Number(sequence), deliveryNumber, recordedAt }];
}

import { type Consumer, consumeByStatement } from "@collect/bus";
import { collectionReversed, type Fact, reversalRecorded } from "@collect/contracts";
import { readTimes } from "@collect/database";
import { collectionKey, collectionReversal, reversedKey } from "../domain/event.ts";
import { type RecordedEvent, recordedKeys } from "../store/events.ts";
import { type Recording, record } from "../use-cases/record-events.ts";

type Reversed = Fact<typeof collectionReversed>;

/**
 * Records the event of each reversal, publishes that, and enqueues new deliveries at the sender. It follows the event of the
 * collection: where that is not recorded yet, accounts drives the reversal once more later.
 */
export function recordReversals(recording: Recording): Consumer {
  return consumeByStatement(collectionReversed, { batchMax: 100 }, async (context, reversals) => {
    const isRecorded = await recordedKeys(
      context.tx,
      reversals.map(({ creditId }) => collectionKey(creditId)),
    );
    const due = reversals.filter(({ creditId }) => isRecorded.has(collectionKey(creditId)));
    const timeOf = await readTimes(
      context.tx,
      due.map(({ merchant }) => merchant),
    );
    const drafts = due.toSorted(asTakenBack).map((reversal) => collectionReversal(reversal, timeOf(reversal.merchant)));
    const byKey = await record(recording, context, drafts);
    context.publish(
      reversalRecorded,
      due.flatMap((reversal) => recorded(reversal, byKey)),
    );
  });
}

/** Numbers the events of one batch in the order in which the parts of a collection were taken back. */
const asTakenBack = (a: Reversed, b: Reversed): number =>
  Number(a.amountReversed - b.amountReversed) || (a.intakeId < b.intakeId ? -1 : 1);

function recorded(
  { intakeId, merchant }: Reversed,
  byKey: Map<string, RecordedEvent>,
): Fact<typeof reversalRecorded>[] {
  const event = byKey.get(reversedKey(intakeId));
  if (!event) return [];
  const { reference, sequence, delivery_number: number, created_at: recordedAt } = event;
  const deliveryNumber = number === null ? null : Number(number);
  return [{ intakeId, merchant, reference, sequence: Number(sequence), deliveryNumber, recordedAt }];
}

import { type Consumer, consumeByStatement } from "@collect/bus";
import { type Fact, transferCompleted, transferRecorded } from "@collect/contracts";
import { readTimes } from "@collect/database";
import { transferEvent, transferKey } from "../domain/event.ts";
import type { RecordedEvent } from "../store/events.ts";
import { type Recording, record } from "../use-cases/record-events.ts";

type CompletedTransfer = Fact<typeof transferCompleted>;

/**
 * Records the event of each completed transfer, publishes that, and enqueues new deliveries at the sender. A reversal may
 * arrive before its success, or alone: each is an event of its own.
 */
export function recordTransfers(recording: Recording): Consumer {
  return consumeByStatement(transferCompleted, { batchMax: 256 }, async (context, transfers) => {
    const timeOf = await readTimes(
      context.tx,
      transfers.map(({ merchant }) => merchant),
    );
    const drafts = transfers
      .toSorted(asCompleted)
      .map((transfer) => transferEvent(transfer, timeOf(transfer.merchant)));
    const byKey = await record(recording, context, drafts);
    context.publish(
      transferRecorded,
      transfers.flatMap((transfer) => recorded(transfer, byKey)),
    );
  });
}

/** Numbers the events of one batch in the order in which the transfers were completed. */
function asCompleted(a: CompletedTransfer, b: CompletedTransfer): number {
  return Date.parse(a.completedAt) - Date.parse(b.completedAt) || (a.key < b.key ? -1 : 1);
}

function recorded(transfer: CompletedTransfer, byKey: Map<string, RecordedEvent>): Fact<typeof transferRecorded>[] {
  const event = byKey.get(transferKey(transfer));
  if (!event) return [];
  const { key, merchant } = transfer;
  const deliveryNumber = event.delivery_number === null ? null : Number(event.delivery_number);
  return [{ key, merchant, sequence: Number(event.sequence), deliveryNumber, recordedAt: event.created_at }];
}

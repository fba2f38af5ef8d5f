import { type Consumer, consumeByStatement } from "@collect/bus";
import { type Fact, transferCompleted, transferRecorded } from "@collect/contracts";
import { transferEvent, transferKey } from "../domain/event.ts";
import { type RecordedEvent, recordEvents } from "../store/events.ts";
import { firstAttempts, type Job } from "../workers/job.ts";

type CompletedTransfer = Fact<typeof transferCompleted>;

/**
 * Records the event of each transfer that came to an end, says so, and hands new deliveries straight to the sender. A reversal
 * may come before its success, or alone: each is an event of its own.
 */
export function recordTransfers(deps: { leaseMs: number; hand(jobs: Job[]): void }): Consumer {
  return consumeByStatement(transferCompleted, { batchMax: 256 }, async ({ tx, publish, afterwards }, transfers) => {
    const leaseEndsAt = performance.now() + deps.leaseMs;
    const now = new Date();
    const drafts = transfers.toSorted(asCompleted).map((transfer) => transferEvent(transfer, now));
    const events = await recordEvents(tx, drafts, deps.leaseMs);
    const byKey = new Map(events.map((event) => [event.key, event]));
    publish(
      transferRecorded,
      transfers.flatMap((transfer) => recorded(transfer, byKey)),
    );
    afterwards(() => deps.hand(firstAttempts(drafts, byKey, leaseEndsAt)));
  });
}

/** What ended first is told first, as far as one batch knows. */
function asCompleted(a: CompletedTransfer, b: CompletedTransfer): number {
  return Date.parse(a.completedAt) - Date.parse(b.completedAt) || (a.key < b.key ? -1 : 1);
}

function recorded(transfer: CompletedTransfer, byKey: Map<string, RecordedEvent>): Fact<typeof transferRecorded>[] {
  const event = byKey.get(transferKey(transfer));
  if (!event) return [];
  const { key, merchant } = transfer;
  return [{ key, merchant, sequence: Number(event.sequence), recordedAt: event.created_at }];
}

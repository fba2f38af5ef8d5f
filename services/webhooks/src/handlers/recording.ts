import type { ConsumeContext, Epochs } from "@collect/bus";
import type { Session } from "@collect/database";
import type { EventDraft } from "../domain/event.ts";
import { type RecordedEvent, recordEvents } from "../store/events.ts";
import { firstAttempts, type Job } from "../workers/job.ts";

export type Recording = { leaseMs: number; enqueue(jobs: Job[]): void; epochs: Epochs };

/**
 * Records events with their numbers, in the order given, and hands new deliveries straight to the sender. By key. A database
 * that may have lost events gives no numbers: it would give those of others again.
 */
export async function record(
  { leaseMs, enqueue, epochs }: Recording,
  { tx, afterwards }: Pick<ConsumeContext<Session>, "tx" | "afterwards">,
  drafts: EventDraft[],
): Promise<Map<string, RecordedEvent>> {
  epochs.holdUntilCurrent();
  const leaseEndsAt = performance.now() + leaseMs;
  const events = await recordEvents(tx, drafts, leaseMs);
  const byKey = new Map(events.map((event) => [event.key, event]));
  afterwards(() => enqueue(firstAttempts(drafts, byKey, leaseEndsAt)));
  return byKey;
}

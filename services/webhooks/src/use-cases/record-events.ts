import type { ConsumeContext, Epochs } from "@collect/bus";
import type { Session } from "@collect/database";
import { currentTrace } from "@collect/telemetry";
import type { EventDraft } from "../domain/event.ts";
import type { Job } from "../domain/job.ts";
import { type RecordedEvent, recordEvents } from "../store/events.ts";

export type Recording = { leaseMs: number; enqueue(jobs: Job[]): void; epochs: Epochs };

/**
 * Records events with their numbers, in the order given, and enqueues new deliveries at the sender. Returns the events by key.
 * A database that may have lost events assigns no numbers: it could assign the numbers of lost events again.
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

/** The first attempts of new events: repeats and events without a URL have none. */
function firstAttempts(drafts: EventDraft[], byKey: Map<string, RecordedEvent>, leaseEndsAt: number): Job[] {
  const trace = currentTrace();
  return drafts.flatMap(({ key, kind, body }) => {
    const event = byKey.get(key);
    if (!event?.url || !event.secret || event.delivery_number === null) return [];
    const { delivery_number: number, merchant_id: merchantId, mode, sequence, url, secret, simulated } = event;
    const first = { attempt: 1, attemptsBefore: 0, stagedSecret: event.staged_secret };
    return [{ number, merchantId, mode, sequence, ...first, kind, body, url, secret, simulated, leaseEndsAt, trace }];
  });
}

import type { ConsumeContext } from "@collect/bus";
import type { Session } from "@collect/database";
import type { EventDraft } from "../domain/event.ts";
import { type RecordedEvent, recordEvents } from "../store/events.ts";
import { firstAttempts, type Job } from "../workers/job.ts";

export type Recording = { leaseMs: number; hand(jobs: Job[]): void };

/** Records events with their numbers, in the order given, and hands new deliveries straight to the sender. By key. */
export async function record(
  { leaseMs, hand }: Recording,
  { tx, afterwards }: Pick<ConsumeContext<Session>, "tx" | "afterwards">,
  drafts: EventDraft[],
): Promise<Map<string, RecordedEvent>> {
  const leaseEndsAt = performance.now() + leaseMs;
  const events = await recordEvents(tx, drafts, leaseMs);
  const byKey = new Map(events.map((event) => [event.key, event]));
  afterwards(() => hand(firstAttempts(drafts, byKey, leaseEndsAt)));
  return byKey;
}

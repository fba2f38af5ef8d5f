import type { Mode } from "@collect/contracts";
import type { EventDraft } from "../domain/event.ts";
import type { RecordedEvent } from "../store/events.ts";

/** One attempt to be made: a delivery that this process has claimed. `leaseEndsAt` is on the clock of `performance.now()`. */
export type Job = {
  number: bigint;
  merchantId: string;
  mode: Mode;
  sequence: bigint;
  attempt: number;
  /** Attempts of earlier rounds: the schedule counts from there. */
  attemptsBefore: number;
  kind: string;
  body: Buffer;
  url: string;
  secret: string;
  /** The next secret while a rotation is under way. */
  stagedSecret: string | null;
  leaseEndsAt: number;
};

/** The first attempts of what was just recorded: repeats and what has no URL have none. */
export function firstAttempts(drafts: EventDraft[], byKey: Map<string, RecordedEvent>, leaseEndsAt: number): Job[] {
  return drafts.flatMap(({ key, kind, body }) => {
    const event = byKey.get(key);
    if (!event?.url || !event.secret || event.delivery_number === null) return [];
    const { delivery_number: number, merchant_id: merchantId, mode, sequence, url, secret } = event;
    const first = { attempt: 1, attemptsBefore: 0, stagedSecret: event.staged_secret };
    return [{ number, merchantId, mode, sequence, ...first, kind, body, url, secret, leaseEndsAt }];
  });
}

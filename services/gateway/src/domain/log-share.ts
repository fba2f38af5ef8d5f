import { type LoggedCall, withoutContent } from "./call-log.ts";

/** One merchant's share of the request log, so that a flood from one merchant displaces no other merchant's calls. */
export type Shares = {
  /** Calls per minute, merchant and kind of key; public keys are in web pages, so any visitor can exhaust their share. */
  minuteMax: number;
  /** Queued calls per merchant. */
  waitingMax: number;
  /** Calls that are stored with their content, counted like those of a minute; the others of that minute are lines without it. */
  contentMax: number;
};

type Minute = { calls: number; refused: boolean };
const MINUTE_MS = 60_000;

/** Admits calls to the log: up to the merchant's share, and of rate-limited calls only the first of each minute. */
export function createShares({ minuteMax, waitingMax, contentMax }: Shares) {
  let minute = 0;
  const thisMinute = new Map<string, Minute>();
  const waiting = new Map<string, number>();

  function minuteOf(call: LoggedCall, now: number): Minute {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) thisMinute.clear();
    minute = current;
    const key = `${call.merchant_id} ${call.mode} ${call.key.slice(0, 2)}`;
    const found = thisMinute.get(key) ?? { calls: 0, refused: false };
    thisMinute.set(key, found);
    return found;
  }

  return {
    /** The call as it may be queued; it is counted. Undefined above the share. */
    admit(call: LoggedCall, now: number): LoggedCall | undefined {
      const counted = minuteOf(call, now);
      const waits = waiting.get(call.merchant_id) ?? 0;
      const isRefusal = call.code === "rate_limited";
      if (counted.calls >= minuteMax || waits >= waitingMax || (isRefusal && counted.refused)) return undefined;
      counted.calls++;
      counted.refused ||= isRefusal;
      waiting.set(call.merchant_id, waits + 1);
      return counted.calls <= contentMax ? call : withoutContent(call);
    },
    /** These calls are no longer queued. */
    release(calls: readonly LoggedCall[]): void {
      for (const { merchant_id } of calls) {
        const left = (waiting.get(merchant_id) ?? 0) - 1;
        if (left > 0) waiting.set(merchant_id, left);
        else waiting.delete(merchant_id);
      }
    },
  };
}

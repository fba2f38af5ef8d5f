import type { LoggedCall } from "./call-log.ts";

/** One merchant's share of the request log, so that a flood from one merchant displaces no other merchant's calls. */
export type Shares = {
  /** Calls per minute, merchant and kind of key; public keys are in web pages, so any visitor can exhaust their share. */
  minuteMax: number;
  /** Queued calls per merchant. */
  waitingMax: number;
};

type Minute = { calls: number; refused: boolean };
const MINUTE_MS = 60_000;

/** Admits calls to the log: up to the merchant's share, and of rate-limited calls only the first of each minute. */
export function createShares({ minuteMax, waitingMax }: Shares) {
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
    /** Whether the call may be queued; if so, it is counted. */
    admits(call: LoggedCall, now: number): boolean {
      const counted = minuteOf(call, now);
      const waits = waiting.get(call.merchant_id) ?? 0;
      const isRefusal = call.code === "rate_limited";
      if (counted.calls >= minuteMax || waits >= waitingMax || (isRefusal && counted.refused)) return false;
      counted.calls++;
      counted.refused ||= isRefusal;
      waiting.set(call.merchant_id, waits + 1);
      return true;
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

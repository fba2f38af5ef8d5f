import type { LoggedCall } from "./call-log.ts";

/** How much of the request log one merchant may take, so that a merchant who floods it takes nothing of another's. */
export type Shares = {
  /** Calls a minute with one kind of key of a merchant; public keys stand in web pages, so any visitor can use one up. */
  minuteMax: number;
  /** Calls of a merchant that wait to be written. */
  waitingMax: number;
};

type Minute = { calls: number; refused: boolean };
const MINUTE_MS = 60_000;

/** What is let into the log: up to the merchant's share, and of the calls above its rate limit the first of each minute. */
export function createShares({ minuteMax, waitingMax }: Shares) {
  let minute = 0;
  const thisMinute = new Map<string, Minute>();
  const waiting = new Map<string, number>();

  function minuteOf(call: LoggedCall, now: number): Minute {
    const current = Math.floor(now / MINUTE_MS);
    if (current !== minute) thisMinute.clear();
    minute = current;
    const whose = `${call.merchant_id} ${call.mode} ${call.key.slice(0, 2)}`;
    const found = thisMinute.get(whose) ?? { calls: 0, refused: false };
    thisMinute.set(whose, found);
    return found;
  }

  return {
    /** Whether the call may wait to be written; if so it is counted. */
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
    /** They wait no longer. */
    release(calls: readonly LoggedCall[]): void {
      for (const { merchant_id } of calls) {
        const left = (waiting.get(merchant_id) ?? 0) - 1;
        if (left > 0) waiting.set(merchant_id, left);
        else waiting.delete(merchant_id);
      }
    },
  };
}

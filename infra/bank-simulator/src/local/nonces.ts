import { CALL_WINDOW_S } from "@collect/bank";

/** Until then a call may still be within the window, if the caller's clock is ahead by all of it. */
const KEPT_MS = 2 * CALL_WINDOW_S * 1_000;

/** The nonces of the calls that may still be within the window: a call that comes again is not accepted. */
export function createNonces() {
  const seen = new Map<string, number>();

  /** In insertion order, so the oldest come first. */
  function deleteOld(now: number): void {
    for (const [nonce, at] of seen) {
      if (now - at < KEPT_MS) return;
      seen.delete(nonce);
    }
  }

  return {
    isNew(nonce: string, now: Date): boolean {
      deleteOld(now.getTime());
      if (seen.has(nonce)) return false;
      seen.set(nonce, now.getTime());
      return true;
    },
  };
}

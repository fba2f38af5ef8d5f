import { Problem, type SessionSnapshot } from "@collect/contracts";

/**
 * Limits of open streams. A replica accepts a number small enough that replicas share the load; one merchant can use
 * at most a fifth of it, and one session at most a twentieth of its merchant's share.
 */
export const STREAM_LIMITS = { processMax: 5_000, merchantMax: 1_000, referenceMax: 50 };
export type StreamLimits = typeof STREAM_LIMITS;

/** A page that is turned away polls in the meantime. */
const RETRY_AFTER_S = 60;

/** The open streams of a process, counted by merchant and by reference. */
export function createStreamSlots(limits: StreamLimits) {
  const counts = new Map<string, number>();
  let total = 0;
  let isClosed = false;
  const countOf = (key: string) => counts.get(key) ?? 0;

  function release(keys: string[]): void {
    total--;
    for (const key of keys) {
      const remaining = countOf(key) - 1;
      if (remaining > 0) counts.set(key, remaining);
      else counts.delete(key);
    }
  }

  return {
    /** Takes a slot for a stream of the session, and returns the function that releases it. Throws service_unavailable. */
    acquire({ reference, merchant }: SessionSnapshot): () => void {
      const isFull =
        total >= limits.processMax ||
        countOf(merchant.id) >= limits.merchantMax ||
        countOf(reference) >= limits.referenceMax;
      if (isClosed || isFull)
        throw new Problem("service_unavailable", "Too many pages are open. Poll the session instead.", {
          retryAfterS: RETRY_AFTER_S,
        });
      const keys = [merchant.id, reference];
      total++;
      for (const key of keys) counts.set(key, countOf(key) + 1);
      return () => release(keys);
    },
    /** From now on every stream is refused. */
    close(): void {
      isClosed = true;
    },
  };
}

import { notFound, Problem } from "@collect/contracts";
import { LRUCache } from "lru-cache";
import type { Copy } from "../domain/freshness.ts";

const REFERENCES_MAX = 500;
/**
 * A response must fit into one NATS message: when a request fails the next has fewer references, down to a number that
 * always fits.
 */
const REFERENCES_MIN = 50;
/** A caller that would wait for more than two batches gets service_unavailable. */
const WAITING_MAX = 2 * REFERENCES_MAX;
const STALE_MAX = 10_000;
const MISSES_MAX = 10_000;

type Waiter = PromiseWithResolvers<Copy>;
/** The references of one request, each with the callers that wait for it; a stale copy has none. */
type Batch = Map<string, Waiter | undefined>;

export type PendingReferences = ReturnType<typeof createPendingReferences>;

/** The references to be read: those that callers wait for, and those of stale copies. Bounded, whatever is asked for. */
export function createPendingReferences({ missTtlMs }: { missTtlMs: number }) {
  const waiting = new Map<string, Waiter>();
  const stale = new Set<string>();
  const misses = new LRUCache<string, true>({ max: MISSES_MAX, ttl: missTtlMs });
  let reading: Batch = new Map();
  let batchMax = REFERENCES_MAX;

  return {
    isEmpty: () => waiting.size + stale.size === 0,
    isMissing: (reference: string) => misses.has(reference),
    /** Waits for the copy. Throws not_found or service_unavailable. */
    wait(reference: string): Promise<Copy> {
      const pending = waiting.get(reference) ?? reading.get(reference);
      if (pending) return pending.promise;
      // Payments may have responded while the caller was looking for a copy.
      if (misses.has(reference)) return Promise.reject(notFound());
      if (waiting.size >= WAITING_MAX) return Promise.reject(unavailable());
      const waiter = Promise.withResolvers<Copy>();
      waiting.set(reference, waiter);
      return waiter.promise;
    },
    markStale(reference: string): void {
      if (stale.size < STALE_MAX && !reading.has(reference)) stale.add(reference);
    },
    /** The references of the next request. */
    takeBatch(): string[] {
      reading = takeFrom(waiting, stale, batchMax);
      return [...reading.keys()];
    },
    /** A waiting reference without a copy does not exist. */
    resolveBatch(copies: Copy[]): void {
      const known = new Map(copies.map((copy) => [copy.snapshot.reference, copy]));
      for (const [reference, waiter] of reading) {
        const copy = known.get(reference);
        if (copy) waiter?.resolve(copy);
        else if (waiter) {
          misses.set(reference, true);
          waiter.reject(notFound());
        }
      }
      reading = new Map();
      batchMax = Math.min(REFERENCES_MAX, batchMax * 2);
    },
    rejectBatch(): void {
      for (const waiter of reading.values()) waiter?.reject(unavailable());
      reading = new Map();
      batchMax = Math.max(REFERENCES_MIN, Math.floor(batchMax / 2));
    },
    rejectWaiting(): void {
      for (const waiter of waiting.values()) waiter.reject(unavailable());
    },
  };
}

/**
 * References with waiting callers come first, but a flood of guessed references leaves half of each batch to known
 * sessions.
 */
function takeFrom(waiting: Map<string, Waiter>, stale: Set<string>, batchMax: number): Batch {
  const batch: Batch = new Map();
  const share = Math.max(batchMax / 2, batchMax - stale.size);
  for (const [reference, waiter] of waiting) {
    if (batch.size >= share) break;
    batch.set(reference, waiter);
    waiting.delete(reference);
  }
  for (const reference of stale) {
    if (batch.size >= batchMax) break;
    if (!batch.has(reference)) batch.set(reference, undefined);
    stale.delete(reference);
  }
  return batch;
}

export const unavailable = () =>
  new Problem("service_unavailable", "The payment cannot be loaded right now. Try again shortly.");

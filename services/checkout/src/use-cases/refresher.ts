import type { Bus } from "@collect/bus";
import { Problem, readSessions } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import { LRUCache } from "lru-cache";
import type { Copy } from "../domain/freshness.ts";
import { notFound } from "../domain/reference.ts";
import { refreshSnapshots } from "../store/session-views.ts";

export const REFRESH = { everyMs: 1_000, missTtlMs: 5_000 };
export type RefreshSchedule = typeof REFRESH;

export type Refresher = Component & {
  /** Whether payments recently reported that there is no such session. */
  isMissing(reference: string): boolean;
  /** Reads a session without a copy, with the next batch. Throws not_found or service_unavailable. */
  fetch(reference: string): Promise<Copy>;
  /** Reads a session again, with one of the next batches. */
  requestRefresh(reference: string): void;
};

type Waiter = PromiseWithResolvers<Copy>;
/** The references of one request, each with the callers that wait for it; a stale copy has none. */
type Batch = Map<string, Waiter | undefined>;

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
/** Payers wait for this request, so its deadline is shorter than that of other callers. */
const READ = { ...readSessions, deadlineMs: 2_000 };

/**
 * Reads sessions from payments for all open pages: one request at a time, and at most one a second, however many
 * payers poll. The first miss after an idle second is sent at once.
 */
export function createRefresher(deps: { bus: Bus; pool: Pool; log: Logger; schedule?: RefreshSchedule }): Refresher {
  const { everyMs, missTtlMs } = deps.schedule ?? REFRESH;
  const waiting = new Map<string, Waiter>();
  /** The batch that is being read, with the callers that wait for it. */
  let reading: Batch = new Map();
  const stale = new Set<string>();
  const misses = new LRUCache<string, true>({ max: MISSES_MAX, ttl: missTtlMs });
  let batchMax = REFERENCES_MAX;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function schedule(): void {
    if (stopped || timer || running || waiting.size + stale.size === 0) return;
    timer = setTimeout(start, Math.max(0, Math.ceil(lastEnd + everyMs - performance.now())));
  }

  function start(): void {
    timer = undefined;
    reading = takeBatch();
    running = refresh(reading).finally(() => {
      running = undefined;
      lastEnd = performance.now();
      reading = new Map();
      schedule();
    });
  }

  /**
   * References with waiting callers come first, but a flood of guessed references leaves half of each batch to known
   * sessions.
   */
  function takeBatch(): Batch {
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

  async function refresh(batch: Batch): Promise<void> {
    const started = performance.now();
    const references = [...batch.keys()];
    let outcome = "ok";
    try {
      const response = await deps.bus.request(READ, { references });
      const { sessions } = readSessions.output.parse(response);
      const copies = await refreshSnapshots(deps.pool, sessions);
      const known = new Map(copies.map((copy) => [copy.snapshot.reference, copy]));
      for (const [reference, waiter] of batch) {
        const copy = known.get(reference);
        if (copy) waiter?.resolve(copy);
        else if (waiter) {
          misses.set(reference, true);
          waiter.reject(notFound());
        }
      }
      batchMax = Math.min(REFERENCES_MAX, batchMax * 2);
    } catch (error) {
      outcome = "later";
      batchMax = Math.max(REFERENCES_MIN, Math.floor(batchMax / 2));
      deps.log.warn({ err: error }, "sessions could not be read");
      for (const waiter of batch.values()) waiter?.reject(unavailable());
    }
    const duration_ms = Math.round(performance.now() - started);
    deps.log.info({ subject: READ.subject, references: references.length, outcome, duration_ms }, "sessions read");
  }

  return {
    name: "refresher",
    isMissing: (reference) => misses.has(reference),
    fetch(reference) {
      const pending = waiting.get(reference) ?? reading.get(reference);
      if (pending) return pending.promise;
      // Payments may have responded while the caller was looking for a copy.
      if (misses.has(reference)) return Promise.reject(notFound());
      if (stopped || waiting.size >= WAITING_MAX) return Promise.reject(unavailable());
      const waiter = Promise.withResolvers<Copy>();
      waiting.set(reference, waiter);
      schedule();
      return waiter.promise;
    },
    requestRefresh(reference) {
      if (stale.size < STALE_MAX && !reading.has(reference)) stale.add(reference);
      schedule();
    },
    start: async () => {},
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const waiter of waiting.values()) waiter.reject(unavailable());
      await running;
    },
  };
}

const unavailable = () =>
  new Problem("service_unavailable", "The payment cannot be loaded right now. Try again shortly.");

import type { Bus } from "@collect/bus";
import { Problem, readSessions } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Component, Logger } from "@collect/runtime";
import { LRUCache } from "lru-cache";
import type { Copy } from "../domain/freshness.ts";
import { notFound } from "../domain/reference.ts";
import { refreshSnapshots } from "../store/session-views.ts";

export const REFRESH = { everyMs: 1_000, missesKeptMs: 5_000 };
export type RefreshSchedule = typeof REFRESH;

export type Refresher = Component & {
  /** Whether payments said a moment ago that there is no such session. */
  isMissing(reference: string): boolean;
  /** Reads a session of which there is no copy, with the next batch. Throws not_found, or service_unavailable. */
  fetch(reference: string): Promise<Copy>;
  /** Reads a session again, with some batch soon. */
  renew(reference: string): void;
};

type Waiter = PromiseWithResolvers<Copy>;
/** References to be read in one request; nobody waits for a copy that is only old. */
type Batch = Map<string, Waiter | undefined>;

const REFERENCES_MAX = 500;
/** An answer must fit into one message: when one fails the next asks for fewer, down to what always fits. */
const REFERENCES_MIN = 50;
/** Who waits for longer than two batches is told to come again. */
const WAITING_MAX = 2 * REFERENCES_MAX;
const STALE_MAX = 10_000;
const MISSES_MAX = 10_000;
/** Payers wait for it, so it has less time than others who ask the same. */
const READ = { ...readSessions, deadlineMs: 2_000 };

/**
 * Reads sessions from payments for everybody who is looking: one request at a time and a second between them, whatever number of payers
 * polls. The first miss after a quiet second goes at once.
 */
export function createRefresher(deps: { bus: Bus; pool: Pool; log: Logger; schedule?: RefreshSchedule }): Refresher {
  const { everyMs, missesKeptMs } = deps.schedule ?? REFRESH;
  const waiting = new Map<string, Waiter>();
  /** What is being read at this moment, with those who wait for it. */
  let reading: Batch = new Map();
  const stale = new Set<string>();
  const misses = new LRUCache<string, true>({ max: MISSES_MAX, ttl: missesKeptMs });
  let batchMax = REFERENCES_MAX;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let stopped = false;

  function plan(): void {
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
      plan();
    });
  }

  /** Those who wait come first, but a flood of invented references leaves half of each batch to sessions that are there. */
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
      const reply = await deps.bus.request(READ, { references });
      const { sessions } = readSessions.output.parse(reply);
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
      deps.log.warn({ err: error }, "sessions cannot be read now");
      for (const waiter of batch.values()) waiter?.reject(unavailable());
    }
    const duration_ms = Math.round(performance.now() - started);
    deps.log.info({ subject: READ.subject, references: references.length, outcome, duration_ms }, "sessions read");
  }

  return {
    name: "refresher",
    isMissing: (reference) => misses.has(reference),
    fetch(reference) {
      const others = waiting.get(reference) ?? reading.get(reference);
      if (others) return others.promise;
      // Payments may have answered while the caller was looking for a copy.
      if (misses.has(reference)) return Promise.reject(notFound());
      if (stopped || waiting.size >= WAITING_MAX) return Promise.reject(unavailable());
      const waiter = Promise.withResolvers<Copy>();
      waiting.set(reference, waiter);
      plan();
      return waiter.promise;
    },
    renew(reference) {
      if (stale.size < STALE_MAX && !reading.has(reference)) stale.add(reference);
      plan();
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

import { type Mode, Problem, type SessionSnapshot } from "@collect/contracts";
import { createCounts } from "@collect/runtime";

/**
 * Limits of open streams, each mode by itself: test streams never turn a live payer away. A replica accepts a number small
 * enough that replicas share the load. One merchant can use at most a quarter of it, one client, whose address many may
 * share, a twentieth, and one session less.
 */
export type StreamLimits = Record<Mode, ModeLimits>;
type ModeLimits = { processMax: number; merchantMax: number; clientMax: number; referenceMax: number };
export const STREAM_LIMITS: StreamLimits = {
  live: { processMax: 4_000, merchantMax: 1_000, clientMax: 200, referenceMax: 50 },
  test: { processMax: 1_000, merchantMax: 250, clientMax: 50, referenceMax: 25 },
};

/** A page that is turned away polls in the meantime. */
const RETRY_AFTER_S = 60;

/** The open streams of a process, counted by mode, merchant, client and reference. */
export function createStreamSlots(limits: StreamLimits) {
  const counts = createCounts();
  let isClosed = false;
  const change = (keys: string[], by: number) => {
    for (const key of keys) counts.add(key, by);
  };

  return {
    /** Takes a slot for a client's stream of the session, and returns the function that releases it. Throws service_unavailable. */
    acquire({ reference, merchant: { id, mode } }: SessionSnapshot, client: string): () => void {
      const { processMax, merchantMax, clientMax, referenceMax } = limits[mode];
      const maxima = new Map([
        [mode, processMax],
        [`${mode} merchant ${id}`, merchantMax],
        [`${mode} client ${client}`, clientMax],
        [reference, referenceMax],
      ]);
      const keys = [...maxima.keys()];
      if (isClosed || [...maxima].some(([key, max]) => counts.of(key) >= max))
        throw new Problem("service_unavailable", "Too many pages are open. Poll the session instead.", {
          retryAfterS: RETRY_AFTER_S,
        });
      change(keys, 1);
      return () => change(keys, -1);
    },
    /** From now on every stream is refused. */
    close(): void {
      isClosed = true;
    },
  };
}

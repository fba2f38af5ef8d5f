import type { Bus } from "@collect/bus";
import { type MerchantScope, MODES, type Mode, Problem, readLastSequences } from "@collect/contracts";
import { type Component, interval, type Logger } from "@collect/runtime";

/** A call that is answered once its merchant's log has an event after this number. */
type Waiting = { merchant: MerchantScope; after: number; release: () => void };

/** Of a replica, and of a merchant in a mode; further calls are refused. */
const WAITING_MAX = 10_000;
const WAITING_OF_ONE_MAX = 10;
const EVERY_MS = 500;
/** Of one request to webhooks. */
const MERCHANTS_MAX = 500;

export type AwaitEvents = (waiting: Omit<Waiting, "release"> & { signal: AbortSignal }) => Promise<void>;

/**
 * Holds calls until there is something to read. Every call is held here, in memory; webhooks is asked by one request for all of
 * them, and not by each.
 */
export function createEventWaits({ bus, log }: { bus: Bus; log: Logger }): Component & { until: AwaitEvents } {
  const waiting = new Set<Waiting>();
  let isStopping = false;

  async function release(mode: Mode, held: Waiting[]): Promise<void> {
    const ids = [...new Set(held.map(({ merchant }) => merchant.id))];
    for (let from = 0; from < ids.length; from += MERCHANTS_MAX) {
      const merchant_ids = ids.slice(from, from + MERCHANTS_MAX);
      const { sequences } = await bus.request(readLastSequences, { mode, merchant_ids });
      const lastOf = new Map(sequences.map(({ merchant_id, sequence }) => [merchant_id, sequence]));
      for (const one of held) if ((lastOf.get(one.merchant.id) ?? 0) > one.after) one.release();
    }
  }

  const looking = interval({ name: "event waits", everyMs: EVERY_MS, log }, async () => {
    for (const mode of MODES) {
      const held = [...waiting].filter(({ merchant }) => merchant.mode === mode);
      if (held.length > 0) await release(mode, held);
    }
  });

  return {
    name: looking.name,
    start: looking.start,
    async stop() {
      isStopping = true;
      for (const { release } of waiting) release();
      await looking.stop();
    },
    /** Until there is an event after that number, or the signal ends the wait. Without an answer of webhooks it goes on. */
    async until({ merchant, after, signal }) {
      if (isStopping || signal.aborted) return;
      const ofOne = [...waiting].filter(
        (one) => one.merchant.id === merchant.id && one.merchant.mode === merchant.mode,
      );
      if (waiting.size >= WAITING_MAX || ofOne.length >= WAITING_OF_ONE_MAX) throw tooManyWaiting();
      const { promise, resolve } = Promise.withResolvers<void>();
      const held: Waiting = { merchant, after, release: resolve };
      waiting.add(held);
      signal.addEventListener("abort", held.release, { once: true });
      // What is there already is not waited for.
      await release(merchant.mode, [held]).catch(() => {});
      await promise;
      waiting.delete(held);
    },
  };
}

const tooManyWaiting = () =>
  new Problem(
    "rate_limited",
    `At most ${WAITING_OF_ONE_MAX} calls can wait for events at once. Let one program follow the log, or wait less.`,
    { retryAfterS: 5 },
  );

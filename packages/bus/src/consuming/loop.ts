import { setTimeout as sleep } from "node:timers/promises";
import { atMost, createSpacing, failpoint, watchProgress } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";
import type { Mode } from "../connection/streams.ts";
import { createBatchHandler } from "./batch.ts";
import type { Consumer, ConsumerDeps } from "./consumer.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import { createSubscription } from "./subscription.ts";
import { type Unpacked, unpack } from "./unpack.ts";

export type Loop = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether the backlog is larger than that of a consumer that keeps up. */
  isBehind(): boolean;
};

type Options = { consumer: Consumer; mode: Mode; yieldsTo?: Pick<Loop, "isBehind"> };

/**
 * The longest that a batch yields to the other mode: test traffic is slow while live has a backlog, and never stops.
 */
const YIELD_MAX_MS = 1_000;
const POLL_INTERVAL_MS = 50;
/**
 * When it stops, a consumer finishes what it has taken, some batches, and returns to the broker only what it could not finish by
 * then, as while the database is unreachable.
 */
const FINISH_WITHIN_MS = 5_000;

/**
 * Takes the messages that have arrived, up to the consumer's batch size, has them handled, and acknowledges them. The
 * next batch forms in the meantime, in memory and on the broker: without `apartMs` nothing waits for a fuller batch, and
 * nothing is taken beyond the capacity.
 */
export function createLoop(bus: Bus, deps: ConsumerDeps, { consumer, mode, yieldsTo }: Options): Loop {
  const { event, apartMs } = consumer;
  const stopping = new AbortController();
  const inFlight = createInFlight();
  const { began, ended, stepped } = watchProgress(`${event.subject}.${mode}`);
  const nextBatch = () => (stopping.signal.aborted ? [] : takeBatch(inFlight, consumer, bus.seal));
  const handleBatch = createBatchHandler(bus, deps, { consumer, mode, signal: stopping.signal, stepped });
  const spacing = createSpacing(apartMs);
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      spacing.began();
      began();
      await yieldTo(stopping.signal, yieldsTo);
      const isComplete = await handleBatch(batch);
      ended();
      if (!isComplete) break;
      failpoint("published");
      for (const { message } of batch) inFlight.ack(message);
      const waitMs = spacing.waitMs();
      // What arrives meanwhile is in the next batch.
      if (waitMs > 0 && !inFlight.isBehind())
        await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
    draining = undefined;
  }

  const subscription = createSubscription(bus, {
    ...deps,
    event,
    mode,
    capacity: inFlight.capacity,
    onMessage(message) {
      inFlight.take(message);
      draining ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
    },
  });
  return {
    isBehind: inFlight.isBehind,
    start: () => subscription.start(),
    async stop() {
      // A subscription that waits for capacity must not get any again.
      inFlight.refuse();
      await subscription.stop();
      await atMost(FINISH_WITHIN_MS, draining ?? Promise.resolve());
      stopping.abort();
      await draining;
      inFlight.close();
    },
  };
}

function takeBatch(inFlight: InFlight, { event, batchMax }: Consumer, seal: Bus["seal"]): Unpacked[] {
  const batch: Unpacked[] = [];
  for (let facts = 0; facts < batchMax; ) {
    const message = inFlight.next();
    if (!message) break;
    const unpacked = unpack(event, message, seal);
    batch.push(unpacked);
    facts += unpacked.items.length;
  }
  return batch;
}

async function yieldTo(signal: AbortSignal, other?: Pick<Loop, "isBehind">): Promise<void> {
  const end = performance.now() + YIELD_MAX_MS;
  while (other?.isBehind() && performance.now() < end)
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
}

import { setTimeout as sleep } from "node:timers/promises";
import { failpoint, watchProgress } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";
import type { Mode } from "../connection/streams.ts";
import { createBatchHandler } from "./batch.ts";
import type { Consumer, ConsumerDeps } from "./consumer.ts";
import { createInHand } from "./in-hand.ts";
import { createSubscription } from "./subscription.ts";
import { type Unpacked, unpack } from "./unpack.ts";

export type Loop = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Whether more waits here than waits at a consumer that keeps up. */
  isBehind(): boolean;
};

type Options = { consumer: Consumer; mode: Mode; givesWayTo?: Pick<Loop, "isBehind"> };

/** A batch waits for the other mode at most so long: test traffic is slow while live is behind, and never stands still. */
const GIVE_WAY_MS = 1_000;
const LOOK_AGAIN_MS = 50;

/**
 * Takes what has come, up to the consumer's batch, has it handled, and acknowledges it. The next batch forms meanwhile, in
 * hand and on the broker: nothing waits for a fuller batch, and nothing is taken beyond its capacity.
 */
export function createLoop(bus: Bus, deps: ConsumerDeps, { consumer, mode, givesWayTo }: Options): Loop {
  const { event, batchMax } = consumer;
  const stopping = new AbortController();
  const inHand = createInHand();
  const { began, ended, stepped } = watchProgress(`${event.subject}.${mode}`);
  const handleBatch = createBatchHandler(bus, deps, { consumer, mode, signal: stopping.signal, stepped });
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      began();
      await giveWay(stopping.signal, givesWayTo);
      const done = await handleBatch(batch);
      ended();
      if (!done) break;
      failpoint("published");
      for (const { message } of batch) inHand.ack(message);
    }
    draining = undefined;
  }

  function nextBatch(): Unpacked[] {
    const batch: Unpacked[] = [];
    for (let facts = 0; facts < batchMax && !stopping.signal.aborted; ) {
      const message = inHand.next();
      if (!message) break;
      const unpacked = unpack(event, message);
      batch.push(unpacked);
      facts += unpacked.items.length;
    }
    return batch;
  }

  const subscription = createSubscription(bus, {
    ...deps,
    event,
    mode,
    capacity: inHand.capacity,
    onMessage(message) {
      inHand.take(message);
      draining ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
    },
  });
  return {
    isBehind: inHand.isBehind,
    start: () => subscription.start(),
    async stop() {
      stopping.abort();
      // One that is behind waits for capacity, which is freed no more.
      inHand.refuse();
      await subscription.stop();
      await draining;
      inHand.close();
    },
  };
}

async function giveWay(signal: AbortSignal, other?: Pick<Loop, "isBehind">): Promise<void> {
  const end = performance.now() + GIVE_WAY_MS;
  while (other?.isBehind() && performance.now() < end)
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {});
}

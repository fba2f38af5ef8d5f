import { withBackOff } from "@collect/runtime";
import type { Bus } from "../connection/connect.ts";
import type { ConsumerDeps, ConsumerRun } from "./consumer.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { createHalving } from "./halving.ts";
import { handleOnce } from "./handle-once.ts";
import { createSetAside } from "./set-aside.ts";
import { distinct, type Item, type Unpacked } from "./unpack.ts";

/**
 * Handles batches of one consumer until each of their facts is done: handled and what follows from it published, put among the
 * dead letters because it failed alone on its data, or left to the service that repeats it because its merchant is blocked.
 * What will pass by itself (no database, no broker, a deadlock) is tried again here, with a growing pause: the messages stay
 * in hand, so an outage makes no redeliveries. Answers false when it was stopped before the end; then nothing is acknowledged.
 */
export function createBatchHandler(bus: Bus, deps: ConsumerDeps, options: ConsumerRun) {
  const { consumer, mode, signal, stepped } = options;
  const { log } = deps;
  const { subject } = consumer.event;
  const setAside = createSetAside({ log, subject, mode });
  const deadLetter = createDeadLetters(deps, { event: consumer.event, mode });
  const handle = (items: Item[]) => handleOnce(items, bus, deps, options);
  const handleHalving = createHalving({ handle, deadLetter, setAside, signal, stepped });

  return async function handleBatch(batch: Unpacked[]): Promise<boolean> {
    const started = performance.now();
    const left = { items: batch.flatMap(({ items }) => items), unreadable: batch.flatMap((each) => each.unreadable) };
    const facts = left.items.length;
    const done = await withBackOff(() => handleWhatIsLeft(left).then(() => true), {
      signal,
      onFailure: (error, waitMs) => {
        stepped();
        log.warn({ subject, mode, facts: left.items.length, err: error, waitMs }, "batch will be tried again");
      },
    });
    const duration_ms = Math.round(performance.now() - started);
    log.info({ subject, mode, facts, outcome: done ? "ok" : "stopped", duration_ms }, "batch");
    return done ?? false;
  };

  /** Takes from `left` what is done, and throws why the rest is not. */
  async function handleWhatIsLeft(left: { items: Item[]; unreadable: Item[] }): Promise<void> {
    for (let item = left.unreadable[0]; item; item = left.unreadable[0]) {
      await deadLetter(item, new Error("the fact cannot be read"));
      left.unreadable.shift();
    }
    while (left.items.length > 0) {
      const { first, again } = distinct(setAside.without(left.items));
      const failed = await handleHalving(first);
      left.items = [...failed.items, ...again];
      if (failed.items.length > 0) throw failed.error;
    }
  }
}

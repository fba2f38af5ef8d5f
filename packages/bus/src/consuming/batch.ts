import { withBackOff } from "@collect/runtime";
import { batchDuration, batchFacts, batchRetries } from "@collect/telemetry";
import type { Bus } from "../connection/connect.ts";
import { durableName } from "../connection/streams.ts";
import type { ConsumerDeps, ConsumerRun } from "./consumer.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { createHalving } from "./halving.ts";
import { handleOnce } from "./handle-once.ts";
import { createSetAside } from "./set-aside.ts";
import { distinct, type Item, REFUSED, type Refused, type Unpacked } from "./unpack.ts";

/**
 * Handles batches of one consumer until each of their facts is complete: handled and its output published,
 * dead-lettered because it failed alone on its data, or left to the service that republishes it because its merchant is
 * blocked. Transient errors (no database, no broker, a deadlock) are retried here with back-off: the messages stay in
 * memory, so an outage causes no redeliveries. Returns false if it was stopped before the end; then nothing is
 * acknowledged.
 */
export function createBatchHandler(bus: Bus, deps: ConsumerDeps, options: ConsumerRun) {
  const { consumer, mode, signal, stepped } = options;
  const { log } = deps;
  const { subject } = consumer.event;
  const durable = durableName(consumer.event, deps.service, mode);
  // So that the first one is an increase.
  batchRetries.inc({ durable }, 0);
  const setAside = createSetAside({ log, subject, mode });
  const deadLetter = createDeadLetters(deps, { event: consumer.event, mode });
  const handle = (items: Item[]) => handleOnce(items, bus, deps, options);
  const handleHalving = createHalving({ handle, deadLetter, setAside, signal, stepped });

  return async function handleBatch(batch: Unpacked[]): Promise<boolean> {
    const started = performance.now();
    const remaining = {
      items: batch.flatMap(({ items }) => items),
      refused: batch.flatMap((each) => each.refused),
    };
    const facts = remaining.items.length;
    const isComplete = await withBackOff(() => handleRemaining(remaining).then(() => true), {
      signal,
      onFailure: (error, waitMs) => {
        stepped();
        batchRetries.inc({ durable });
        log.warn({ subject, mode, facts: remaining.items.length, err: error, waitMs }, "batch will be retried");
      },
    });
    const duration = performance.now() - started;
    const outcome = isComplete ? "ok" : "stopped";
    batchDuration.observe({ durable, outcome }, duration / 1_000);
    batchFacts.observe({ durable }, facts);
    log.info({ subject, mode, facts, outcome, duration_ms: Math.round(duration) }, "batch");
    return isComplete ?? false;
  };

  /** Removes completed items from `remaining`, and throws the error of the others. */
  async function handleRemaining(remaining: { items: Item[]; refused: Refused[] }): Promise<void> {
    for (let item = remaining.refused[0]; item; item = remaining.refused[0]) {
      await deadLetter(item, new Error(REFUSED[item.reason]));
      if (item.reason === "forged")
        log.error({ alarm: "forged_fact", subject, mode, natural_key: item.key }, "a fact is not its publisher's");
      remaining.refused.shift();
    }
    while (remaining.items.length > 0) {
      const { unique, conflicting } = distinct(setAside.without(remaining.items));
      const failed = await handleHalving(unique);
      remaining.items = [...failed.items, ...conflicting];
      if (failed.items.length > 0) throw failed.error;
    }
  }
}

import { MODES } from "@collect/contracts";
import { type DeadLetter, isTransient } from "@collect/database";
import type { Bus } from "../connection/connect.ts";
import { durableName } from "../connection/streams.ts";
import type { Consumer, ConsumerDeps } from "./consumer.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { handleOnce } from "./handle-once.ts";
import { type Item, REFUSED, readFacts } from "./unpack.ts";

/**
 * Has its own consumer handle a dead letter again, in this process: only the publisher of an event can put facts into its
 * stream. Returns whether it was tried; one that fails again is stored again. A transient error is thrown.
 */
export function createRetry(bus: Bus, { consumers, ...deps }: ConsumerDeps & { consumers: Consumer[] }) {
  const runs = new Map(
    consumers.flatMap((consumer) =>
      MODES.map((mode) => [durableName(consumer.event, deps.service, mode), { consumer, mode }] as const),
    ),
  );

  return async function retry({ consumer: name, subject, fact }: DeadLetter, signal: AbortSignal): Promise<boolean> {
    const run = runs.get(name);
    if (!run || signal.aborted) return false;
    const { event } = run.consumer;
    const deadLetter = createDeadLetters(deps, { event, mode: run.mode });
    const handle = (item: Item) =>
      handleOnce([item], bus, deps, { ...run, signal, stepped: () => {} }).catch((error: unknown) => {
        if (isTransient(error)) throw error;
        return deadLetter(item, error);
      });
    // A message that could not be read is stored as a whole, a fact alone.
    const text = fact.startsWith("[") ? fact : `[${fact}]`;
    const { items, refused } = readFacts(event, { subject, text: () => fact, json: () => JSON.parse(text) }, bus.seal);
    for (const item of refused) await deadLetter(item, new Error(REFUSED[item.reason]));
    for (const item of items) await handle(item);
    return true;
  };
}

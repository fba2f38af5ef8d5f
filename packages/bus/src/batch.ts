import type { FactEvent } from "@collect/contracts";
import { isLocked, isTooSlow, isTransient, storeDeadLetter } from "@collect/database";
import { failpoint, withBackOff } from "@collect/runtime";
import type { Bus } from "./connect.ts";
import type { Consumer, ConsumerDeps } from "./consume.ts";
import { createSetAside, scopeOf } from "./set-aside.ts";
import { durableName, type Mode } from "./streams.ts";
import { distinct, type Item, type Unpacked } from "./unpack.ts";

const TOO_SLOW_ALONE_MAX = 2;

type Options = { consumer: Consumer; mode: Mode; signal: AbortSignal; stepped: () => void };

/**
 * Handles batches of one consumer until each of their facts is done: handled and what follows from it published, put among the
 * dead letters because it failed alone on its data, or left to the service that repeats it because its merchant is blocked.
 * What will pass by itself (no database, no broker, a deadlock) is tried again here, with a growing pause: the messages stay
 * in hand, so an outage makes no redeliveries. Answers false when it was stopped before the end; then nothing is acknowledged.
 */
export function createBatchHandler(bus: Bus, deps: ConsumerDeps, { consumer, mode, signal, stepped }: Options) {
  const { event } = consumer;
  const { log } = deps;
  const pool = deps.pools[mode];
  const setAside = createSetAside({ log, subject: event.subject, mode });
  /** Facts of this round that alone took too long: when several did it is the database that is slow, and halving helps nobody. */
  let tooSlowAlone = 0;

  return async function handleBatch(batch: Unpacked[]): Promise<boolean> {
    const started = performance.now();
    const items = batch.flatMap((unpacked) => unpacked.items);
    const unreadable = batch.flatMap((unpacked) => unpacked.unreadable);
    let rest = items;
    const done = await withBackOff(
      async () => {
        for (let item = unreadable[0]; item; item = unreadable[0]) {
          await deadLetter(item, new Error("the fact cannot be read"));
          unreadable.shift();
        }
        while (rest.length > 0) {
          const { first, again } = distinct(setAside.without(rest));
          tooSlowAlone = 0;
          const left = await handleHalving(first);
          rest = [...left.items, ...again];
          if (left.items.length > 0) throw left.error;
        }
        return true;
      },
      {
        signal,
        onFailure: (error, waitMs) => {
          stepped();
          const line = { subject: event.subject, mode, facts: rest.length, err: error, waitMs };
          log.warn(line, "batch will be tried again");
        },
      },
    );
    const duration_ms = Math.round(performance.now() - started);
    const outcome = done ? "ok" : "stopped";
    log.info({ subject: event.subject, mode, facts: items.length, outcome, duration_ms }, "batch");
    return done ?? false;
  };

  /** What could not be done now, and why. */
  type Left = { items: Item[]; error?: unknown };

  async function handleHalving(items: Item[]): Promise<Left> {
    if (items.length === 0) return { items };
    try {
      await handleOnce(items);
      setAside.succeeded(items);
      return { items: [] };
    } catch (error) {
      // Halves of halves that each wait for their time-out are many minutes of work.
      stepped();
      if (signal.aborted) return { items, error };
      if (isLocked(error)) return handleApart(items, error);
      const [only] = items.length === 1 ? items : [];
      if (isTooSlow(error) && only) tooSlowAlone++;
      const isWorthHalving = isTooSlow(error) && !only && tooSlowAlone < TOO_SLOW_ALONE_MAX;
      if (isTransient(error) && !isWorthHalving) return { items, error };
      if (only) return orLeft(only, () => deadLetter(only, error));
      const middle = Math.ceil(items.length / 2);
      return both(items.slice(0, middle), items.slice(middle));
    }
  }

  /** A row that is locked is one merchant's, mostly: halved down to merchants, those that were found locked before apart. */
  async function handleApart(items: Item[], error: unknown): Promise<Left> {
    const byScope = Map.groupBy(items, scopeOf);
    if (byScope.size === 1) return { items: setAside.failed(items), error };
    const [suspects, others] = setAside.bySuspicion([...byScope.keys()]);
    const scopes = [...others, ...suspects];
    const middle = suspects.length > 0 && others.length > 0 ? others.length : Math.ceil(scopes.length / 2);
    const itemsOf = (some: string[]) => some.flatMap((scope) => byScope.get(scope) ?? []);
    return both(itemsOf(scopes.slice(0, middle)), itemsOf(scopes.slice(middle)));
  }

  async function both(one: Item[], other: Item[]): Promise<Left> {
    const left = await handleHalving(one);
    const right = await handleHalving(other);
    return { items: [...left.items, ...right.items], error: left.error ?? right.error };
  }

  /** Stores the dead letter; without a database the item is left. */
  function orLeft(item: Item, store: () => Promise<void>): Promise<Left> {
    return store().then(
      () => ({ items: [] }),
      (error: unknown) => ({ items: [item], error }),
    );
  }

  async function handleOnce(items: Item[]): Promise<void> {
    const outgoing: { event: FactEvent; facts: unknown[] }[] = [];
    const afterwards: (() => void)[] = [];
    await consumer.handle(
      pool,
      {
        publish: (to, facts) => void outgoing.push({ event: to, facts }),
        afterwards: (work) => void afterwards.push(work),
      },
      items.map(({ fact }) => fact),
    );
    failpoint("committed");
    await Promise.all(outgoing.map((out) => publishAtLast(out.event, out.facts)));
    for (const work of afterwards) {
      // What the batch is for is done: nothing of it may be done again, or be a dead letter, for this.
      try {
        work();
      } catch (error) {
        log.error({ subject: event.subject, mode, err: error }, "what follows a batch failed");
      }
    }
  }

  /** A broker that does not take it stops this loop, which takes no more input: the work is not done again for that. */
  async function publishAtLast(to: FactEvent, facts: unknown[]): Promise<void> {
    const published = await withBackOff(() => bus.publish(to, facts as never[]).then(() => true), {
      signal,
      onFailure: (error, waitMs) => {
        stepped();
        log.warn({ subject: to.subject, mode, err: error, waitMs }, "cannot publish yet");
      },
    });
    if (!published) throw new Error("stopped before the broker took what the batch publishes");
  }

  async function deadLetter(item: Item, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    log.error({ subject: event.subject, mode, natural_key: item.key, err: error }, "dead letter");
    await storeDeadLetter(pool, {
      consumer: durableName(event, deps.service, mode),
      natural_key: item.key,
      subject: item.message.subject,
      fact: item.raw,
      error: reason,
    });
  }
}

import type { Fact, FactEvent, ServiceName } from "@collect/contracts";
import {
  type ByMode,
  isTransient,
  type Pool,
  type Session,
  storeDeadLetter,
  type Transaction,
  transaction,
} from "@collect/database";
import { failpoint, type Logger, type Part } from "@collect/runtime";
import type { JsMsg } from "@nats-io/jetstream";
import type { Bus } from "./connect.ts";
import { durableName, type Mode } from "./streams.ts";
import { createSubscription } from "./subscription.ts";
import { distinct, type Item, type Unpacked, unpack } from "./unpack.ts";

export type Outgoing = {
  /** Publishes once the work is committed, and before the input is acknowledged. */
  publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): void;
  /** Runs once committed and published; for work that somebody else repeats if the process dies here. */
  afterwards(work: () => void): void;
};
export type ConsumeContext<Where extends Session = Transaction> = Outgoing & { tx: Where };

/** An event and the handler of its batches. Made by `consume`, started by `consumeEvents`. */
export type Consumer = {
  event: FactEvent;
  batchMax: number;
  handle(pool: Pool, outgoing: Outgoing, facts: unknown[]): Promise<void>;
};

type Handler<Event extends FactEvent, Where extends Session> = (
  context: ConsumeContext<Where>,
  facts: Fact<Event>[],
) => Promise<void>;

/**
 * Declares the handler of an event. It gets as many facts as have come (up to `batchMax`), distinct by natural key, in one
 * transaction. It must do for a repeat what it did the first time. When it throws for the data, the batch is halved
 * until the one fact that is at fault fails alone.
 */
export function consume<Event extends FactEvent>(
  event: Event,
  { batchMax }: { batchMax: number },
  handle: Handler<Event, Transaction>,
): Consumer {
  return {
    event,
    batchMax,
    handle: (pool, outgoing, facts) => transaction(pool, (tx) => handle({ tx, ...outgoing }, facts as Fact<Event>[])),
  };
}

/**
 * The same for a handler that changes things in one statement, or in several of which each may stand alone: a statement is
 * a transaction of its own, and BEGIN and COMMIT are two more round trips a batch, which matter when batches are small.
 */
export function consumeByStatement<Event extends FactEvent>(
  event: Event,
  { batchMax }: { batchMax: number },
  handle: Handler<Event, Session>,
): Consumer {
  return {
    event,
    batchMax,
    handle: (pool, outgoing, facts) => handle({ tx: pool, ...outgoing }, facts as Fact<Event>[]),
  };
}

/** Each mode has connections of its own. */
type Deps = { service: ServiceName; pools: ByMode<Pool>; log: Logger };

/** Consumes every event in both modes, each mode in a loop of its own. */
export function consumeEvents(bus: Bus, deps: Deps & { consumers: Consumer[] }): Part {
  const loops = deps.consumers.flatMap((consumer) =>
    (["live", "test"] as const).map((mode) => createLoop(bus, deps, consumer, mode)),
  );
  return {
    name: "consumers",
    start: async () => void (await Promise.all(loops.map((loop) => loop.start()))),
    stop: async () => void (await Promise.all(loops.map((loop) => loop.stop()))),
  };
}

/** After a passing failure (no database, no broker) the messages come back this much later. */
const RETRY_AFTER_MS = 1_000;

function createLoop(bus: Bus, deps: Deps, consumer: Consumer, mode: Mode) {
  const { event, batchMax } = consumer;
  const name = durableName(event, deps.service, mode);
  const pool = deps.pools[mode];
  const stopping = new AbortController();
  const buffer: JsMsg[] = [];
  let draining: Promise<void> | undefined;

  async function drain(): Promise<void> {
    while (buffer.length > 0 && !stopping.signal.aborted) {
      const batch: Unpacked[] = [];
      for (let facts = 0; buffer.length > 0 && facts < batchMax; ) {
        const unpacked = unpack(event, buffer.shift() as JsMsg);
        batch.push(unpacked);
        facts += unpacked.items.length;
      }
      await settle(batch);
    }
    draining = undefined;
  }

  /** Handles a batch and acknowledges it, or gives it back when the failure will pass. */
  async function settle(batch: Unpacked[]): Promise<void> {
    const started = performance.now();
    const items = batch.flatMap((unpacked) => unpacked.items);
    let outcome = "ok";
    try {
      for (const { unreadable } of batch)
        for (const item of unreadable) await bury(item, new Error("the fact cannot be read"));
      for (let rest = items; rest.length > 0; ) {
        const { first, again } = distinct(rest);
        await handleHalving(first);
        rest = again;
      }
      failpoint("published");
      for (const { message } of batch) message.ack();
    } catch (error) {
      outcome = "later";
      deps.log.warn({ subject: event.subject, mode, err: error }, "batch given back");
      for (const { message } of batch) message.nak(RETRY_AFTER_MS);
    }
    deps.log.info(
      {
        subject: event.subject,
        mode,
        facts: items.length,
        outcome,
        duration_ms: Math.round(performance.now() - started),
      },
      "batch",
    );
  }

  async function handleHalving(items: Item[]): Promise<void> {
    if (items.length === 0) return;
    try {
      await handleOnce(items);
    } catch (error) {
      if (error instanceof PublishFailed || isTransient(error) || stopping.signal.aborted) throw error;
      if (items.length === 1) return bury(items[0] as Item, error);
      const middle = Math.ceil(items.length / 2);
      await handleHalving(items.slice(0, middle));
      await handleHalving(items.slice(middle));
    }
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
    try {
      await Promise.all(outgoing.map((out) => bus.publish(out.event, out.facts as never[])));
    } catch (cause) {
      throw new PublishFailed("the broker did not take what the batch published", { cause });
    }
    for (const work of afterwards) work();
  }

  async function bury(item: Item, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    deps.log.error({ subject: event.subject, mode, natural_key: item.key, err: error }, "dead letter");
    await storeDeadLetter(pool, {
      consumer: name,
      natural_key: item.key,
      subject: item.message.subject,
      fact: item.raw,
      error: reason,
    });
  }

  const subscription = createSubscription(bus, { ...deps, event, mode }, (message) => {
    if (stopping.signal.aborted) return message.nak();
    buffer.push(message);
    draining ??= new Promise<void>((resolve) => setImmediate(resolve)).then(drain);
  });
  return {
    start: () => subscription.start(),
    async stop() {
      stopping.abort();
      await subscription.stop();
      await draining;
      for (const message of buffer.splice(0)) message.nak();
    },
  };
}

class PublishFailed extends Error {}

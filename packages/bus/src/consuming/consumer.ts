import type { Fact, FactEvent, ServiceName } from "@collect/contracts";
import { type ByMode, type Pool, type Session, type Transaction, transaction } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Mode } from "../connection/streams.ts";

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

/** Where a consumer runs; each mode has connections of its own. */
export type ConsumerDeps = { service: ServiceName; pools: ByMode<Pool>; log: Logger };

/** One consumer in one mode. `stepped` tells the watchdog that it goes on, and `signal` that it shall not. */
export type ConsumerRun = { consumer: Consumer; mode: Mode; signal: AbortSignal; stepped: () => void };

import type { Fact, FactEvent, ServiceName } from "@collect/contracts";
import { type ByMode, type Pool, type Session, type Transaction, transaction } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Mode } from "../connection/streams.ts";

export type Outgoing = {
  /** Publishes once the work is committed, and before the input is acknowledged. */
  publish<Event extends FactEvent>(event: Event, facts: Fact<Event>[]): void;
  /** Runs after commit and publish; for work that another process repeats if this one crashes here. */
  afterwards(work: () => void): void;
};
export type ConsumeContext<Where extends Session = Transaction> = Outgoing & { tx: Where };

/** An event and the handler of its batches. Made by `consume`, started by `consumeEvents`. */
export type Consumer = {
  event: FactEvent;
  batchMax: number;
  apartMs: number;
  handle(pool: Pool, outgoing: Outgoing, facts: unknown[]): Promise<void>;
};

/** `apartMs`: the least time from one batch to the next while the consumer keeps up. A message after a pause never waits. */
type Batches = { batchMax: number; apartMs?: number };

type Handler<Event extends FactEvent, Where extends Session> = (
  context: ConsumeContext<Where>,
  facts: Fact<Event>[],
) => Promise<void>;

/**
 * Declares the handler of an event. It gets all facts that have arrived (up to `batchMax`), distinct by natural key, in
 * one transaction. It must be idempotent. If it throws because of the data, the batch is halved until the faulty fact
 * fails alone.
 */
export function consume<Event extends FactEvent>(
  event: Event,
  { batchMax, apartMs = 0 }: Batches,
  handle: Handler<Event, Transaction>,
): Consumer {
  return {
    event,
    batchMax,
    apartMs,
    handle: (pool, outgoing, facts) => transaction(pool, (tx) => handle({ tx, ...outgoing }, facts as Fact<Event>[])),
  };
}

/**
 * The same for a handler that writes in one statement, or in several that may each commit alone: a statement is its own
 * transaction, and BEGIN and COMMIT are two more round trips per batch, which matter when batches are small.
 */
export function consumeByStatement<Event extends FactEvent>(
  event: Event,
  { batchMax, apartMs = 0 }: Batches,
  handle: Handler<Event, Session>,
): Consumer {
  return {
    event,
    batchMax,
    apartMs,
    handle: (pool, outgoing, facts) => handle({ tx: pool, ...outgoing }, facts as Fact<Event>[]),
  };
}

/** The environment of a consumer. Each mode has its own connections. */
export type ConsumerDeps = { service: ServiceName; pools: ByMode<Pool>; log: Logger };

/** One consumer in one mode. `stepped` reports progress to the watchdog; `signal` stops it. */
export type ConsumerRun = { consumer: Consumer; mode: Mode; signal: AbortSignal; stepped: () => void };

import type { JsMsg } from "@nats-io/jetstream";
import { ACK_WAIT_MS } from "../connection/streams.ts";

/** Enough for several batches, also of messages with one fact each: the next batch forms while the last one commits. */
const MESSAGES_MAX = 256;

/**
 * The messages that a consumer has received and not yet acknowledged, bounded by a fixed number. It reports to the
 * broker in time that they are still in progress, and a message that is redelivered nevertheless is not processed
 * twice.
 */
export type InFlight = {
  /**
   * Keeps the message until it is acknowledged. For a message already in flight, only the handle of the latest delivery
   * is kept.
   */
  take(message: JsMsg): void;
  /** The message that has waited longest, to be processed now. */
  next(): JsMsg | undefined;
  ack(message: JsMsg): void;
  /** Whether the backlog is larger than that of a consumer that keeps up. */
  isBehind(): boolean;
  /** Resolves with the number of messages to request, once it is worth a request; undefined after `refuse()`. */
  capacity(): Promise<number | undefined>;
  /** Stops requesting: a pending `capacity()` resolves with undefined. Messages in flight are kept. */
  refuse(): void;
  /** Returns unacknowledged messages to the broker, which redelivers them to any replica. */
  close(): void;
};

export function createInFlight(): InFlight {
  const messages = new Map<string, JsMsg>();
  const waiting: JsMsg[] = [];
  let refusing = false;
  let wake: (() => void) | undefined;

  const working = setInterval(() => {
    for (const message of messages.values()) message.working();
  }, ACK_WAIT_MS / 3);
  working.unref();

  const hasCapacity = () => messages.size <= MESSAGES_MAX / 2;

  return {
    take(message) {
      const id = idOf(message);
      if (!messages.has(id)) waiting.push(message);
      messages.set(id, message);
    },
    next: () => waiting.shift(),
    ack(message) {
      messages.get(idOf(message))?.ack();
      messages.delete(idOf(message));
      if (hasCapacity()) wake?.();
    },
    isBehind: () => waiting.length >= MESSAGES_MAX / 4,
    async capacity() {
      while (!refusing && !hasCapacity()) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      return refusing ? undefined : MESSAGES_MAX - messages.size;
    },
    refuse() {
      refusing = true;
      wake?.();
    },
    close() {
      clearInterval(working);
      for (const message of messages.values()) message.nak();
      messages.clear();
      waiting.splice(0);
    },
  };
}

/** Stream sequence and timestamp: after its store was wiped, a stream counts from one again. */
const idOf = (message: JsMsg): string => `${message.seq}@${message.timestampNanos}`;

import type { JsMsg } from "@nats-io/jetstream";
import { ACK_WAIT_MS } from "../connection/streams.ts";

/** Enough for several batches, also of messages with one fact each: the next batch forms while the last one commits. */
const MESSAGES_MAX = 256;

/**
 * The messages that a consumer has taken and not yet finished: never more than a fixed number. The broker is told in time that
 * they are still worked on, and one that it delivers again all the same is not worked on twice.
 */
export type InHand = {
  /** Keeps the message until it is acknowledged. Of one that is in hand already only the latest delivery is remembered. */
  take(message: JsMsg): void;
  /** The longest waiting message, to be worked on now. */
  next(): JsMsg | undefined;
  ack(message: JsMsg): void;
  /** Whether as much waits as a consumer that keeps up never has. */
  isBehind(): boolean;
  /** Resolves with how many more may be taken, once it is worth asking for them; undefined once nothing more is wanted. */
  capacity(): Promise<number | undefined>;
  /** Nothing more is wanted: a pending `capacity()` resolves with undefined. What is in hand stays. */
  refuse(): void;
  /** Gives back what is not acknowledged; the broker delivers it again, to whichever replica asks. */
  close(): void;
};

export function createInHand(): InHand {
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

/** The place in the stream and the time of storing: after its store was wiped, a stream counts from one again. */
const idOf = (message: JsMsg): string => `${message.seq}@${message.timestampNanos}`;

import type { FactEvent, ServiceName } from "@collect/contracts";
import { type Logger, withBackOff } from "@collect/runtime";
import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import type { Bus } from "../connection/connect.ts";
import { durableName, ensureStreams, type Mode, streamName } from "../connection/streams.ts";

/** How long a request for messages stands. A lost stream or durable is noticed when its heartbeats have been missing this long. */
const PULL_EXPIRES_MS = 5_000;
/**
 * So much later a request that has expired is given up here. NATS 2.9 forgets to say that one has when a message comes at that
 * moment: messages would wait until heartbeats are missed.
 */
const GIVEN_UP_AFTER_MS = PULL_EXPIRES_MS + 500;

type Options = {
  event: FactEvent;
  service: ServiceName;
  mode: Mode;
  log: Logger;
  /** Resolves with how many messages may be taken, once that is more than none; undefined when nothing more is wanted. */
  capacity(): Promise<number | undefined>;
  onMessage(message: JsMsg): void;
};

/**
 * The messages of one durable, whatever becomes of the broker, until it is stopped. Messages are asked for only when there is
 * capacity for them, so what a process holds is bounded whatever waits on the broker. Every wait has an end: a request expires,
 * and one whose heartbeats are missing fails.
 */
export function createSubscription(bus: Bus, { event, service, mode, log, capacity, onMessage }: Options) {
  const stopping = new AbortController();
  let pulling: ConsumerMessages | undefined;
  let following: Promise<void> | undefined;

  async function open(): Promise<Consumer> {
    await ensureStreams(bus.manager, [event], [mode]);
    return bus.jetstream.consumers.get(streamName(event.from, mode), durableName(event, service, mode));
  }

  /** Until the durable is lost, when it throws. */
  async function pull(durable: Consumer): Promise<void> {
    for (;;) {
      const max_messages = await capacity();
      if (max_messages === undefined || stopping.signal.aborted) return;
      const request = await durable.fetch({ max_messages, expires: PULL_EXPIRES_MS });
      pulling = request;
      // Stopped meanwhile: nothing else ends this request.
      if (stopping.signal.aborted) return void request.close();
      const givenUp = setTimeout(() => request.close(), GIVEN_UP_AFTER_MS);
      try {
        for await (const message of request) onMessage(message);
      } finally {
        clearTimeout(givenUp);
      }
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const durable = await withBackOff(open, {
        signal: stopping.signal,
        onFailure: (error, waitMs) =>
          log.warn({ subject: event.subject, mode, err: error, waitMs }, "cannot consume yet"),
      });
      if (!durable) return;
      await pull(durable).catch((error) =>
        log.warn({ subject: event.subject, mode, err: error }, "the durable is lost; subscribing anew"),
      );
    }
  }

  return {
    async start(): Promise<void> {
      await ensureStreams(bus.manager, [event], [mode]);
      following = follow();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await pulling?.close();
      await following;
    },
  };
}

import type { FactEvent, ServiceName } from "@collect/contracts";
import { atMost, type Logger, withBackOff } from "@collect/runtime";
import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { BROKER_BACK_OFF_MS, onceAvailable } from "../connection/available.ts";
import type { Bus } from "../connection/connect.ts";
import { ensureDurable, hasNoStream, type Mode } from "../connection/streams.ts";

const PULL_EXPIRES_MS = 5_000;
/** A lost durable, or leader of one, is detected when two heartbeats are missing, which takes up to three times this long. */
const HEARTBEAT_MS = 1_000;
/**
 * When an expired pull request is closed on this side. NATS 2.9 omits the expiry notice if a message arrives at that
 * moment: messages would wait until heartbeats are missed.
 */
const PULL_CLOSED_AFTER_MS = PULL_EXPIRES_MS + 500;

/** The broker answers within milliseconds, unless it is unreachable. */
const CLOSE_WITHIN_MS = 1_000;

type Options = {
  event: FactEvent;
  service: ServiceName;
  mode: Mode;
  log: Logger;
  /** Resolves with the number of messages to request, once there is capacity; undefined when the consumer stops. */
  capacity(): Promise<number | undefined>;
  onMessage(message: JsMsg): void;
};

/**
 * The messages of one durable, across broker failures, until it is stopped. Messages are requested only when there is
 * capacity for them, so a process's memory is bounded whatever the backlog. Every wait is bounded: a pull request
 * expires, and one whose heartbeats are missing fails.
 */
export function createSubscription(bus: Bus, { event, service, mode, log, capacity, onMessage }: Options) {
  const stopping = new AbortController();
  let pulling: ConsumerMessages | undefined;
  let following: Promise<void> | undefined;

  async function open(): Promise<Consumer> {
    const info = await ensureDurable(bus.manager, { event, to: service, mode });
    return bus.jetstream.consumers.getConsumerFromInfo(info);
  }

  /** Pulls until the durable is lost; then it throws. */
  async function pull(durable: Consumer): Promise<void> {
    for (;;) {
      const max_messages = await capacity();
      if (max_messages === undefined || stopping.signal.aborted) return;
      const request = await durable.fetch({ max_messages, expires: PULL_EXPIRES_MS, idle_heartbeat: HEARTBEAT_MS });
      pulling = request;
      // Stopped in the meantime: nothing else closes this request.
      if (stopping.signal.aborted) void close(request);
      const closeTimer = setTimeout(() => request.close(), PULL_CLOSED_AFTER_MS);
      try {
        for await (const message of request) onMessage(message);
      } finally {
        clearTimeout(closeTimer);
      }
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const durable = await withBackOff(open, {
        signal: stopping.signal,
        longestMs: BROKER_BACK_OFF_MS,
        onFailure: (error, waitMs) =>
          log.warn({ subject: event.subject, mode, err: error, waitMs }, "cannot consume yet"),
      });
      if (!durable) return;
      await pull(durable).catch((error) =>
        log.warn({ subject: event.subject, mode, err: error }, "the durable is lost; resubscribing"),
      );
    }
  }

  return {
    async start(): Promise<void> {
      const ensure = () => ensureDurable(bus.manager, { event, to: service, mode });
      await onceAvailable(event.subject, ensure, { log, signal: stopping.signal }).catch((error: unknown) => {
        // The publisher has not been started yet; until then there is nothing to consume.
        if (!hasNoStream(error)) throw error;
      });
      following = follow();
    },
    async stop(): Promise<void> {
      stopping.abort();
      if (pulling) await close(pulling);
      await following;
    },
  };
}

/**
 * Closes a pull request once the messages that are on their way have arrived. If it were closed at once they would be lost here,
 * and delivered again only after the broker's acknowledgment timeout: every stop would delay them by ten seconds. The client's
 * interface does not offer that, so the subscription is taken from inside it; without one the request is only closed.
 */
async function close(request: ConsumerMessages): Promise<void> {
  const { sub } = Object(request);
  await atMost(CLOSE_WITHIN_MS, Promise.resolve(sub?.drain()));
  await request.close();
}

import { setTimeout as sleep } from "node:timers/promises";
import type { FactEvent, ServiceName } from "@collect/contracts";
import { type Logger, withBackOff } from "@collect/runtime";
import type { ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import type { Bus } from "./connect.ts";
import { durableName, ensureStreams, type Mode, streamName } from "./streams.ts";

/** Messages asked of the broker ahead of need: the next batch forms while the last one commits. */
const PREFETCH = 256;
/** How long a request for messages stands. A lost stream or durable is noticed when its heartbeats have been missing this long. */
const PULL_EXPIRES_MS = 2_000;
/** Making sure of the stream and asking for its messages takes milliseconds, or three requests that time out. */
const SUBSCRIBE_WITHIN_MS = 20_000;

/** What the client says of a subscription to which nothing will come any more as it is. */
const LOST = new Set<string>([
  "heartbeats_missed",
  "stream_not_found",
  "consumer_not_found",
  "consumer_deleted",
  "no_responders",
]);

/** The messages of one durable, whatever becomes of the broker, until it is stopped. */
export function createSubscription(
  bus: Bus,
  { event, service, mode, log }: { event: FactEvent; service: ServiceName; mode: Mode; log: Logger },
  onMessage: (message: JsMsg) => void,
) {
  const name = durableName(event, service, mode);
  const stopping = new AbortController();
  let messages: ConsumerMessages | undefined;
  let following: Promise<void> | undefined;

  async function subscribe(): Promise<ConsumerMessages> {
    await ensureStreams(bus.manager, [event]);
    const durable = await bus.jetstream.consumers.get(streamName(event.from), name);
    return durable.consume({
      max_messages: PREFETCH,
      expires: PULL_EXPIRES_MS,
      callback: onMessage,
    });
  }

  /** Bounded, so that a broker that goes away meanwhile cannot leave this loop waiting for ever. */
  async function subscribeInTime(): Promise<ConsumerMessages> {
    const subscribing = subscribe();
    const late = new AbortController();
    const timeout = sleep(SUBSCRIBE_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
      void subscribing.then((running) => running.close()).catch(() => {});
      throw new Error("subscribing took too long");
    });
    return Promise.race([subscribing, timeout]).finally(() => late.abort());
  }

  /** A wiped store leaves `consume` waiting for a stream that nobody makes. Whoever notices starts anew, and makes it. */
  async function untilLost(running: ConsumerMessages): Promise<void> {
    for await (const { type } of running.status()) {
      if (!LOST.has(type)) continue;
      log.warn({ subject: event.subject, mode, status: type }, "nothing comes any more; subscribing anew");
      return;
    }
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const running = await withBackOff(subscribeInTime, {
        signal: stopping.signal,
        onFailure: (error, waitMs) =>
          log.warn({ subject: event.subject, mode, err: error, waitMs }, "cannot consume yet"),
      });
      if (!running) return;
      messages = running;
      // Stopped while it was subscribing: nobody else closes this one.
      if (!stopping.signal.aborted) await Promise.race([running.closed(), untilLost(running)]);
      void running.close().catch(() => {});
    }
  }

  return {
    async start(): Promise<void> {
      await ensureStreams(bus.manager, [event]);
      following = follow();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await messages?.close();
      await following;
    },
  };
}

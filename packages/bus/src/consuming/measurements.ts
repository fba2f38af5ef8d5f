import { MODES } from "@collect/contracts";
import { countDeadLetters } from "@collect/database";
import { deadLetters, type Measurements, pendingMessages, unacknowledgedMessages } from "@collect/telemetry";
import type { Bus } from "../connection/connect.ts";
import { durableName, streamName } from "../connection/streams.ts";
import type { Consumer, ConsumerDeps } from "./consumer.ts";

/** What waits for these consumers, one question to the broker for each durable, and what they could not handle. */
export function measureConsumers(
  bus: Bus,
  { consumers, service, pools }: ConsumerDeps & { consumers: Consumer[] },
): Measurements {
  const durables = consumers.flatMap(({ event }) =>
    MODES.map((mode) => ({ stream: streamName(event.from, mode), durable: durableName(event, service, mode) })),
  );
  return {
    consumers: {
      gauges: [pendingMessages, unacknowledgedMessages],
      measure: async () => {
        const infos = await Promise.all(
          durables.map(({ stream, durable }) => bus.manager.consumers.info(stream, durable)),
        );
        for (const { name: durable, num_pending, num_ack_pending } of infos) {
          pendingMessages.set({ durable }, num_pending);
          unacknowledgedMessages.set({ durable }, num_ack_pending);
        }
      },
    },
    dead_letters: {
      gauges: [deadLetters],
      measure: async () => {
        const counts = await countDeadLetters(pools.live);
        for (const { durable } of durables) deadLetters.set({ durable }, counts.get(durable) ?? 0);
      },
    },
  };
}

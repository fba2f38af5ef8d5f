import { until } from "@collect/testing";
import type { StreamConfig } from "@nats-io/jetstream";
import type { Injection, World } from "../world.ts";

/** Every existing stream. */
export const fullStreams: Injection = async ({ stack: { bus } }) => {
  const before = await configurations(bus);
  for (const { name } of before) await bus.manager.streams.update(name, { max_msgs: 1 });
  return () =>
    until("the streams have their original limits", async () => {
      try {
        for (const { name, max_msgs } of before) await bus.manager.streams.update(name, { max_msgs });
        return true;
      } catch {
        // If a stream has disappeared, the services recreate it with its declared limits.
        const current = await configurations(bus).catch(() => undefined);
        return current?.every(({ max_msgs }) => max_msgs !== 1);
      }
    });
};

async function configurations(bus: World["stack"]["bus"]): Promise<StreamConfig[]> {
  const found: StreamConfig[] = [];
  for await (const { config } of bus.manager.streams.list()) found.push(config);
  return found;
}

import { until } from "@collect/testing";
import type { StreamConfig } from "@nats-io/jetstream";
import type { World } from "../world.ts";
import type { Injection } from "./index.ts";

/** Every stream there is, whatever it is called. */
export const fullStreams: Injection = async ({ stack: { bus } }) => {
  const before = await configurations(bus);
  for (const { name } of before) await bus.manager.streams.update(name, { max_msgs: 1 });
  return () =>
    until("the streams have their limits back", async () => {
      try {
        for (const { name, max_msgs } of before) await bus.manager.streams.update(name, { max_msgs });
        return true;
      } catch {
        // One that is gone meanwhile is made anew by the services, with the limits it should have.
        const left = await configurations(bus).catch(() => undefined);
        return left?.every(({ max_msgs }) => max_msgs !== 1);
      }
    });
};

async function configurations(bus: World["stack"]["bus"]): Promise<StreamConfig[]> {
  const found: StreamConfig[] = [];
  for await (const { config } of bus.manager.streams.list()) found.push(config);
  return found;
}

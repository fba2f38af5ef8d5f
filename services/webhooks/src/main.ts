import { brokerOf, bus, connectBus } from "@collect/bus";
import { connectionOf, createPools, databases, KEY_LOOKUPS_ONLY } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
await startTracing("webhooks");
const log = createLogger("webhooks", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const pools = createPools({ ...connectionOf(config), service: "webhooks", log, settings: KEY_LOOKUPS_ONLY });
  const connection = await connectBus({ ...brokerOf(config), name: "webhooks", log });

  return [
    traces(log),
    databases(pools, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pools, bus: connection, log }),
  ];
});

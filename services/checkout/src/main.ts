import { brokerOf, bus, connectBus } from "@collect/bus";
import { connectionOf, createPools, databases, KEY_LOOKUPS_ONLY } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
await startTracing("checkout");
const log = createLogger("checkout", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const sizes = { path: { live: 1, test: 1 }, requests: { live: 3, test: 1 }, workers: 1 };
  const pools = createPools({ ...connectionOf(config), service: "checkout", log, sizes, settings: KEY_LOOKUPS_ONLY });
  const connection = await connectBus({ ...brokerOf(config), name: "checkout", log });

  return [
    traces(log),
    databases(pools, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pools, bus: connection, log }),
  ];
});

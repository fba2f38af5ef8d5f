import { brokerOf, bus, connectBus, createFactSeal } from "@collect/bus";
import { connectionOf, createClock, createPools, databases, KEY_LOOKUPS_ONLY } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createPartners } from "./adapters/partners.ts";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
await startTracing("accounts");
const log = createLogger("accounts", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const pools = createPools({ ...connectionOf(config), service: "accounts", log, settings: KEY_LOOKUPS_ONLY });
  const seal = createFactSeal(config.FACT_KEY);
  const connection = await connectBus({ ...brokerOf(config), name: "accounts", log, seal });
  const partners = createPartners(config, createClock(pools.workers));

  return [
    traces(log),
    databases(pools, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pools, bus: connection, log, partners }),
  ];
});

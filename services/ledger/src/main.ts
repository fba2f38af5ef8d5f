import { brokerOf, bus, connectBus, createFactSeal, createSeals } from "@collect/bus";
import { connectionOf, createNow, createPools, databases } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { POSTING_SETTINGS } from "./store/post-batch.ts";

const config = readConfig();
await startTracing("ledger");
const log = createLogger("ledger", config.LOG_LEVEL);

await run({ config, log }, async () => {
  // One to post each event in each mode.
  const sizes = { path: { live: 2, test: 2 }, requests: { live: 3, test: 2 }, workers: 2 };
  const pools = createPools({ ...connectionOf(config), service: "ledger", log, sizes, settings: POSTING_SETTINGS });
  const seal = createFactSeal(config.FACT_KEY);
  const seals = createSeals({ payouts: config.PAYOUT_KEY, orders: config.ORDER_KEY }, createNow(pools.workers));
  const connection = await connectBus({ ...brokerOf(config), name: "ledger", log, seal, seals });

  return [
    traces(log),
    databases(pools, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pools, bus: connection, log }),
  ];
});

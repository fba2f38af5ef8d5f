import { brokerOf, bus, connectBus, createSeals } from "@collect/bus";
import { connectionOf, createClock, createNow, createPools, databases, KEY_LOOKUPS_ONLY } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { createPayoutPartners } from "./outbound/adapters/payout-partners.ts";

const config = readConfig();
await startTracing("payments");
const log = createLogger("payments", config.LOG_LEVEL);

await run({ config, log }, async () => {
  // Concurrent sessions of one price wait for each other's slots while they hold a connection.
  const sizes = { path: { live: 3, test: 2 }, requests: { live: 4, test: 4 }, workers: 2 };
  const pools = createPools({ ...connectionOf(config), service: "payments", log, sizes, settings: KEY_LOOKUPS_ONLY });
  const seals = createSeals({ payouts: config.PAYOUT_KEY, orders: config.ORDER_KEY }, createNow(pools.workers));
  const connection = await connectBus({ ...brokerOf(config), name: "payments", log, seals });
  const partners = createPayoutPartners(config, createClock(pools.workers));
  log.info({ partner: partners.standard.id }, "live payouts are sent by this partner");

  return [
    traces(log),
    databases(pools, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pools, bus: connection, log, partners }),
  ];
});

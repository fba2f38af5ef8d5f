import { brokerOf, bus, connectBus, createSeals } from "@collect/bus";
import { connectionOf, createNow, createPool, database } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
await startTracing("gateway");
const log = createLogger("gateway", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const pool = createPool({ ...connectionOf(config), service: "gateway", log, max: 2 });
  const seals = createSeals({ orders: config.ORDER_KEY }, createNow(pool));
  const connection = await connectBus({ ...brokerOf(config), name: "gateway", log, seals });

  return [
    traces(log),
    database(pool, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ config, pool, bus: connection, log }),
  ];
});

import { brokerOf, bus, connectBus } from "@collect/bus";
import { connectionOf, createPool, database } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { startTracing, traces } from "@collect/telemetry";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
await startTracing("statements");
const log = createLogger("statements", config.LOG_LEVEL);

await run({ config, log }, async () => {
  const pool = createPool({ ...connectionOf(config), service: "statements", log });
  const connection = await connectBus({ ...brokerOf(config), name: "statements", log });

  return [
    traces(log),
    database(pool, new URL("../prisma/migrations/", import.meta.url)),
    bus(connection),
    ...createApp({ pool, bus: connection, log, booksTotals: config.BOOK_CHARGES }),
  ];
});

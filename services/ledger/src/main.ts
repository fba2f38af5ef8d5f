import { bus, connectBus } from "@collect/bus";
import { createPool, database } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { POSTING_SETTINGS } from "./store/post-batch.ts";

const config = readConfig();
const log = createLogger("ledger", config.LOG_LEVEL);
const connections = { url: config.DATABASE_URL, service: "ledger", log, settings: POSTING_SETTINGS };
const pool = createPool({ ...connections, max: 6 });
// One for each event in each mode.
const postingPool = createPool({ ...connections, max: 4 });
const connection = await connectBus({ url: config.NATS_URL, name: "ledger", log });

await run(log, [
  database(pool),
  database(postingPool),
  bus(connection),
  ...createApp({ config, pool, postingPool, bus: connection, log }),
]);

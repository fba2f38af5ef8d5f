import { bus, connectBus } from "@collect/bus";
import { createPool, database } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { POSTING_SETTINGS } from "./store/post-batch.ts";

const config = readConfig();
const log = createLogger("ledger", config.LOG_LEVEL);
const pool = createPool({ url: config.DATABASE_URL, service: "ledger", log, max: 6, settings: POSTING_SETTINGS });
const connection = await connectBus({ url: config.NATS_URL, name: "ledger", log });

await run(log, [database(pool), bus(connection), ...createApp({ config, pool, bus: connection, log })]);

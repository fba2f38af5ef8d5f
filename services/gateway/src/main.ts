import { bus, connectBus } from "@collect/bus";
import { createPool, database } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
const log = createLogger("gateway", config.LOG_LEVEL);
const pool = createPool({ url: config.DATABASE_URL, service: "gateway", log, max: 2 });
const connection = await connectBus({ url: config.NATS_URL, name: "gateway", log });
await run(log, [database(pool), bus(connection), ...createApp({ config, pool, bus: connection, log })]);

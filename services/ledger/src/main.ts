import { bus, connectBus } from "@collect/bus";
import { createPools, databases } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { POSTING_SETTINGS } from "./store/post-batch.ts";

const config = readConfig();
const log = createLogger("ledger", config.LOG_LEVEL);
// One to post each event in each mode.
const sizes = { path: { live: 2, test: 2 }, requests: { live: 3, test: 2 }, workers: 2 };
const pools = createPools({ url: config.DATABASE_URL, service: "ledger", log, sizes, settings: POSTING_SETTINGS });
const connection = await connectBus({ url: config.NATS_URL, name: "ledger", log });

await run(log, [databases(pools), bus(connection), ...createApp({ config, pools, bus: connection, log })]);

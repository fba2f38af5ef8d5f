import { bus, connectBus } from "@collect/bus";
import { createPools, databases } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { POSTING_SETTINGS } from "./store/post-batch.ts";

const config = readConfig();
const log = createLogger("ledger", config.LOG_LEVEL);
const pools = createPools({ url: config.DATABASE_URL, service: "ledger", log, settings: POSTING_SETTINGS });
const connection = await connectBus({ url: config.NATS_URL, name: "ledger", log });

await run(log, [databases(pools), bus(connection), ...createApp({ config, pools, bus: connection, log })]);

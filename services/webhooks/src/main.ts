import { bus, connectBus } from "@collect/bus";
import { BY_KEYS, createPools, databases } from "@collect/database";
import { createLogger, run } from "@collect/runtime";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";

const config = readConfig();
const log = createLogger("webhooks", config.LOG_LEVEL);
const pools = createPools({ url: config.DATABASE_URL, service: "webhooks", log, settings: BY_KEYS });
const connection = await connectBus({ url: config.NATS_URL, name: "webhooks", log });
await run(log, [databases(pools), bus(connection), ...createApp({ config, pools, bus: connection, log })]);

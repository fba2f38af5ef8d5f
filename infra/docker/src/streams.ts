import { brokerOf, migrateBus } from "@collect/bus";
import { createLogger } from "@collect/runtime";
import { readStreamsConfig } from "./config.ts";

/** The job that creates and updates the streams of the bus. */
const config = readStreamsConfig();
const log = createLogger("streams");
const { removed } = await migrateBus({ ...brokerOf(config), log });
log.info({ migrated: "bus", removed }, "migrated");

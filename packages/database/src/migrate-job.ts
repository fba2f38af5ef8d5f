import { join } from "node:path";
import { createLogger } from "@collect/runtime";
import { readConfig } from "./config.ts";
import { migrate } from "./migrate.ts";

/** The migrate job of one service: applies the migrations in the folder of the service, from which it is started. */
const log = createLogger("migrate");
const applied = await migrate({ url: readConfig().DATABASE_URL, directory: join(process.cwd(), "prisma"), log });
log.info({ applied }, "migrated");

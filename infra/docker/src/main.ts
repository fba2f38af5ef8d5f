import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrateBus } from "@collect/bus";
import { SERVICES } from "@collect/contracts";
import { migrate, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { passwordOf, readConfig } from "./config.ts";

/**
 * The one-shot job of docker-compose.yml: creates a database for every service, sets its role's password, migrates it, and
 * migrates the bus.
 */
const config = readConfig();
const log = createLogger("migrate");
for (const service of SERVICES) {
  const directory = join(import.meta.dirname, "../../../services", service, "prisma");
  if (!existsSync(directory)) continue;
  const { owner } = await provision(config.DATABASE_URL, service, { password: passwordOf(config, service) });
  const applied = await migrate({ url: owner, directory });
  log.info({ migrated: service, applied }, "migrated");
}
const { removed } = await migrateBus({ url: config.NATS_URL, log });
log.info({ migrated: "bus", removed }, "migrated");

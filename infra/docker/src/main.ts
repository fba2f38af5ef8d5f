import { existsSync } from "node:fs";
import { join } from "node:path";
import { brokerOf, migrateBus } from "@collect/bus";
import { SERVICES } from "@collect/contracts";
import { migrate, openLogin, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { loginFor, readConfig } from "./config.ts";

/**
 * The one-shot job of docker-compose.yml: creates a database and a login for every service, migrates it, and migrates the
 * bus. Run beside running services, it changes no password that works.
 */
const config = readConfig();
const log = createLogger("migrate");
for (const service of SERVICES) {
  const directory = join(import.meta.dirname, "../../../services", service, "prisma");
  if (!existsSync(directory)) continue;
  const { owner } = await provision(config.DATABASE_URL, service);
  await openLogin(config.DATABASE_URL, service, loginFor(config, service));
  const applied = await migrate({ url: owner, directory, log });
  log.info({ migrated: service, applied }, "migrated");
}
const { removed } = await migrateBus({ ...brokerOf(config), log });
log.info({ migrated: "bus", removed }, "migrated");

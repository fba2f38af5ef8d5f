import { existsSync } from "node:fs";
import { join } from "node:path";
import { migrateBus } from "@collect/bus";
import { SERVICES } from "@collect/contracts";
import { databaseOf, migrate, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import pg from "pg";
import { passwordOf, readConfig } from "./config.ts";

/**
 * The one-shot job of docker-compose.yml: creates and migrates a database for every service, sets its role's password,
 * and migrates the bus.
 */
const config = readConfig();
const log = createLogger("migrate");
for (const service of SERVICES) {
  const directory = join(import.meta.dirname, "../../../services", service, "prisma");
  if (!existsSync(directory)) continue;
  const { owner } = await provision(config.DATABASE_URL, service);
  const applied = await migrate({ url: owner, directory });
  await setPassword(databaseOf(service), passwordOf(config, service));
  log.info({ migrated: service, applied }, "migrated");
}
const { removed } = await migrateBus({ url: config.NATS_URL, log });
log.info({ migrated: "bus", removed }, "migrated");

async function setPassword(role: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: config.DATABASE_URL });
  await client.connect();
  await client.query(`alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(password)}`);
  await client.end();
}

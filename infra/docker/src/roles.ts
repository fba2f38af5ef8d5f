import { SERVICES } from "@collect/contracts";
import { openLogin, openOwner, provision } from "@collect/database";
import { createLogger } from "@collect/runtime";
import { loginFor, ownerPasswordFor, readRolesConfig } from "./config.ts";

/**
 * The job that creates the database and the roles of every service. Each service's own job then migrates its database, as its
 * owner. Run beside running services, it changes no password that works.
 */
const config = readRolesConfig();
const log = createLogger("roles");
for (const service of SERVICES) {
  await provision(config.DATABASE_URL, service, { log });
  await openOwner(config.DATABASE_URL, service, ownerPasswordFor(config, service));
  await openLogin(config.DATABASE_URL, service, loginFor(config, service));
  log.info({ provisioned: service }, "provisioned");
}

import { type Bus, serveRequests } from "@collect/bus";
import { BY_KEYS, createPool, database, type Pool } from "@collect/database";
import { createHttpApp, forgetRateLimits, httpServer } from "@collect/http";
import type { Logger, Part } from "@collect/runtime";
import type { Config } from "./config.ts";
import { authenticate } from "./handlers/authentication.ts";
import { answerKeys } from "./handlers/keys.ts";
import { answerMerchants } from "./handlers/merchants.ts";
import { limitPublicCalls } from "./handlers/public-limits.ts";
import { routes } from "./handlers/routes.ts";
import { openRecords } from "./store/records.ts";

export type Deps = { config: Config; pool: Pool; bus: Bus; log: Logger };

export function createApp({ config, pool, bus, log }: Deps): Part[] {
  // The counts need not survive a crash of PostgreSQL, so the statement that every call waits for does not wait for the disk.
  const counting = createPool({
    url: config.DATABASE_URL,
    service: "gateway",
    log,
    settings: [...BY_KEYS, "synchronous_commit=off"],
  });
  const app = createHttpApp({
    log,
    routes: routes({
      bus,
      docs: config.DOCS_URL,
      authenticate: authenticate(counting),
      limitPublicCalls: limitPublicCalls(counting),
    }),
  });
  const records = openRecords(pool);
  return [
    database(counting),
    forgetRateLimits(counting, { log }),
    serveRequests(bus, {
      service: "gateway",
      log,
      requests: [...answerMerchants(records), ...answerKeys({ records, pool: counting })],
    }),
    httpServer({ app, host: config.HOST, port: config.PORT, log, requestTimeoutMs: config.REQUEST_TIMEOUT_MS }),
  ];
}

import { type Bus, fulfillContracts } from "@collect/bus";
import { createPool, database, KEY_LOOKUPS_ONLY, type Pool, TIGHT } from "@collect/database";
import { createHttpApp, deleteExpiredRateLimits, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { apiCallRequests } from "./handlers/api-calls.ts";
import { keyRequests } from "./handlers/keys.ts";
import { merchantRequests } from "./handlers/merchants.ts";
import { verificationRequests } from "./handlers/verification.ts";
import { authenticate } from "./http/authentication.ts";
import { logCalls } from "./http/log-calls.ts";
import { limitPublicCalls } from "./http/public-limits.ts";
import { routes } from "./http/routes.ts";
import { findCallers } from "./store/callers.ts";
import { openPrisma } from "./store/prisma.ts";
import { createCallLog, deleteOldCalls } from "./workers/call-log.ts";
import { createUsedKeys } from "./workers/used-keys.ts";

export type Deps = { config: Config; pool: Pool; bus: Bus; log: Logger };

export function createApp({ config, pool, bus, log }: Deps): Component[] {
  // The counts need not survive a crash of PostgreSQL, so the statement of every call does not wait for the disk.
  const settings = [...KEY_LOOKUPS_ONLY, "synchronous_commit=off"];
  const connections = { url: config.DATABASE_URL, service: "gateway", log, settings };
  const counting = {
    live: createPool({ ...connections, limits: TIGHT, max: 4 }),
    test: createPool({ ...connections, limits: TIGHT, max: 3 }),
  };
  // Asynchronous writes have their own connections, so that no call waits for one.
  const background = createPool({ ...connections, max: 2 });
  const usedKeys = createUsedKeys(background, { log });
  const callLog = createCallLog(background, { log });
  const findCaller = findCallers({ pools: counting, usedKeys });
  const app = createHttpApp({
    log,
    routes: routes({
      bus,
      docs: config.DOCS_URL,
      authenticate: authenticate(findCaller),
      limitPublicCalls: limitPublicCalls(counting),
      logCalls: logCalls(callLog),
    }),
  });
  const prisma = openPrisma(pool);
  return [
    database(counting.live),
    database(counting.test),
    database(background),
    deleteExpiredRateLimits(background, { log }),
    deleteOldCalls(background, { log }),
    usedKeys.component,
    callLog.component,
    ...fulfillContracts(bus, {
      service: "gateway",
      log,
      requests: [
        ...merchantRequests(prisma),
        ...keyRequests({ prisma, findCaller }),
        ...verificationRequests({ prisma, bus }),
        ...apiCallRequests(background),
      ],
    }),
    httpServer({ app, host: config.HOST, port: config.PORT, log, requestTimeoutMs: config.REQUEST_TIMEOUT_MS }),
  ];
}

import { type Bus, fulfillContracts, type Request } from "@collect/bus";
import { problemType } from "@collect/contracts";
import { byMode, connectionOf, createPool, database, KEY_LOOKUPS_ONLY, type Pool, TIGHT } from "@collect/database";
import { createHttpApp, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { knownBanks } from "./domain/name-skeleton.ts";
import { apiCallRequests } from "./handlers/api-calls.ts";
import { auditLogRequests } from "./handlers/audit-log.ts";
import { keyRequests } from "./handlers/keys.ts";
import { merchantRequests } from "./handlers/merchants.ts";
import { operatorSignInRequests } from "./handlers/operator-sign-ins.ts";
import { operatorRequests } from "./handlers/operators.ts";
import { restrictedKeyRequests } from "./handlers/restricted-keys.ts";
import { standingRequests } from "./handlers/standing.ts";
import { verificationRequests } from "./handlers/verification.ts";
import { authenticate, recognize } from "./http/authentication.ts";
import { logCalls } from "./http/log-calls.ts";
import { routes } from "./http/routes.ts";
import { type FindCaller, findCallers } from "./store/callers.ts";
import { openPrisma, type PrismaClient } from "./store/prisma.ts";
import { createActs } from "./use-cases/acts.ts";
import { createEventWaits } from "./use-cases/await-events.ts";
import { type ChainQueue, createChainQueue } from "./use-cases/chain-queue.ts";
import { recordActs } from "./use-cases/recorded.ts";
import { addConfiguredOperators, copyOldAuditLog, logHeads } from "./workers/audit-log.ts";
import { createCallLog, deleteOldCalls } from "./workers/call-log.ts";
import { createProtectedNames } from "./workers/protected-names.ts";
import { createUsedKeys } from "./workers/used-keys.ts";

export type Deps = { config: Config; pool: Pool; bus: Bus; log: Logger };

export function createApp({ config, pool, bus, log }: Deps): Component[] {
  const { counting, recording, background } = openPools(config, log);
  const usedKeys = createUsedKeys(background, { log });
  const callLog = createCallLog(background, { log });
  const findCaller = findCallers({ pools: counting, usedKeys });
  const eventWaits = createEventWaits({ bus, log });
  const refusing = { log, problemType: problemType(config.DOCS_URL) };
  const app = createHttpApp({
    ...refusing,
    trustedProxies: config.TRUSTED_PROXIES,
    routes: routes({
      bus,
      urls: { api: config.API_URL, docs: config.DOCS_URL },
      recorded: recordActs({ chains: byMode(recording, createChainQueue), log }),
      untilEvents: eventWaits.until,
      authenticate: authenticate(findCaller),
      recognize: recognize(findCaller),
      logCalls: logCalls(callLog),
    }),
  });
  const prisma = openPrisma(pool);
  const inChain = createChainQueue(pool);
  const acts = createActs({ pool, inChain, fourEyes: config.FOUR_EYES });
  return [
    database(counting.live),
    database(counting.test),
    database(recording.live),
    database(recording.test),
    database(background),
    deleteOldCalls(background, { log }),
    usedKeys.component,
    callLog.component,
    addConfiguredOperators(pool, config.OPERATORS),
    copyOldAuditLog(background, { log }),
    logHeads(background, { log }),
    createProtectedNames(prisma, { log }),
    ...fulfillContracts(bus, {
      service: "gateway",
      log,
      acts,
      requests: requestsOf({ config, pool, inChain, prisma, bus, counting, background, findCaller, acts }),
    }),
    httpServer({ ...refusing, app, host: config.HOST, port: config.PORT, requestTimeoutMs: config.REQUEST_TIMEOUT_MS }),
    // Stopped first: the server waits for the responses of the calls that are held.
    eventWaits,
  ];
}

type Served = Pick<Deps, "config" | "pool" | "bus"> &
  Pick<ReturnType<typeof openPools>, "counting" | "background"> & {
    inChain: ChainQueue;
    prisma: PrismaClient;
    findCaller: FindCaller;
    acts: ReturnType<typeof createActs>;
  };

function requestsOf({ config, pool, inChain, prisma, bus, counting, background, findCaller, acts }: Served): Request[] {
  const banks = knownBanks(config.BANK_NAME);
  return [
    ...merchantRequests({ prisma, banks }),
    ...standingRequests({ prisma, pool: counting.live, bus }),
    ...keyRequests({ prisma, findCaller }),
    ...restrictedKeyRequests(prisma),
    ...verificationRequests({ prisma, bus, banks }),
    ...apiCallRequests(background),
    ...auditLogRequests({ pool, inChain, acts }),
    ...operatorRequests({ pool, acts }),
    ...operatorSignInRequests(pool),
  ];
}

/**
 * Counting has its own connections, and so have asynchronous writes, so that no call waits for one. So has recording what keys order,
 * by mode: orders with test keys take none of those of live, nor either those of the dashboard and of operators.
 */
function openPools(config: Config, log: Logger) {
  // The counts need not survive a crash of PostgreSQL, so the statement of every call does not wait for the disk.
  const settings = [...KEY_LOOKUPS_ONLY, "synchronous_commit=off"];
  const durable = { ...connectionOf(config), service: "gateway", log };
  const connections = { ...durable, settings };
  const recording = {
    live: createPool({ ...durable, name: "recording.live", limits: TIGHT, max: 3 }),
    test: createPool({ ...durable, name: "recording.test", limits: TIGHT, max: 2 }),
  };
  const counting = {
    live: createPool({ ...connections, name: "counting.live", limits: TIGHT, max: 4 }),
    test: createPool({ ...connections, name: "counting.test", limits: TIGHT, max: 3 }),
  };
  return { counting, recording, background: createPool({ ...connections, name: "background", max: 2 }) };
}

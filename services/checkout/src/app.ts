import { type Bus, fulfillContracts } from "@collect/bus";
import { problemType } from "@collect/contracts";
import {
  connectionOf,
  createPool,
  database,
  enforceRetention,
  KEY_LOOKUPS_ONLY,
  type Pools,
  type Retention,
  TIGHT,
} from "@collect/database";
import { createHttpApp, deleteExpiredRateLimits, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import type { Config } from "./config.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { checkoutRequests } from "./handlers/checkout.ts";
import { recoveryRequests } from "./handlers/recovery.ts";
import { acceptSessionChanges } from "./handlers/sessions.ts";
import { createSessionRoutes } from "./http/create-session.ts";
import { createLimits } from "./http/limits.ts";
import { logoRoutes } from "./http/logos.ts";
import { sessionRoutes } from "./http/sessions.ts";
import { createLive, type LiveLimits } from "./page/live.ts";
import { CONTENT_SECURITY_POLICY } from "./page/policy.ts";
import { pageRoutes } from "./page/routes.ts";
import { deleteCopies } from "./store/session-views.ts";
import { createBrandings } from "./use-cases/brandings.ts";
import { createGate } from "./use-cases/gate.ts";
import { createLinks } from "./use-cases/links.ts";
import { createLogos } from "./use-cases/logos.ts";
import { createRefresher, type RefreshSchedule } from "./use-cases/refresher.ts";
import { countSessionCalls } from "./use-cases/session-limits.ts";
import { createSessions } from "./use-cases/sessions.ts";
import { createSimulate } from "./use-cases/simulate.ts";
import { createSessionWatcher, type WatchSchedule } from "./workers/session-watcher.ts";

export type Deps = {
  config: Config;
  pools: Pools;
  bus: Bus;
  log: Logger;
  refresh?: RefreshSchedule;
  watch?: WatchSchedule;
  streams?: LiveLimits;
};

/** The payer's side of payment sessions: the public API, the pages, and the same API as requests for the gateway. */
export function createApp({ config, pools, bus, log, refresh, watch, streams }: Deps): Component[] {
  // The counts need not survive a crash of PostgreSQL, so the statement that every call waits for does not wait for the
  // disk.
  const counting = createPool({
    ...connectionOf(config),
    service: "checkout",
    name: "counting",
    log,
    max: 2,
    limits: TIGHT,
    settings: [...KEY_LOOKUPS_ONLY, "synchronous_commit=off"],
  });
  // The mode of a session is unknown until it is read, so pages use one pool for both modes.
  const pool = pools.requests.live;
  const brandings = createBrandings();
  const refresher = createRefresher({ bus, pool, log, brandings, schedule: refresh });
  const gate = createGate(counting);
  const sessions = createSessions({ pool, bus, refresher, brandings, gate });
  const links = createLinks({ bus, sessions, gate });
  const simulate = createSimulate({ bus, sessions, refresher });
  const watcher = createSessionWatcher({ pool, bus, refresher, log, schedule: watch });
  const live = createLive({ sessions, watcher, limits: streams });
  const limits = createLimits(counting);
  const refusing = { log, problemType: config.DOCS_URL === null ? undefined : problemType(config.DOCS_URL) };
  const app = createHttpApp({
    ...refusing,
    trustedProxies: config.TRUSTED_PROXIES,
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    routes: (app) => {
      app.use((_request, response, next) => {
        response.setHeader("Cache-Control", "no-store");
        next();
      });
      createSessionRoutes({ sessions, bus, limits })(app);
      sessionRoutes({ endpoints: ENDPOINTS, sessions, limits })(app);
      logoRoutes({ logos: createLogos(bus), limits })(app);
      pageRoutes({ sessions, links, simulate, live: live.open, limits, log })(app);
    },
  });
  return [
    database(counting),
    deleteExpiredRateLimits(counting, { log }),
    enforceRetention(pools.workers, { log, rules: retentionOf(config) }),
    refresher,
    watcher,
    ...fulfillContracts(bus, {
      service: "checkout",
      pools: pools.path,
      log,
      consumers: [acceptSessionChanges()],
      requests: [...checkoutRequests({ sessions, count: countSessionCalls(counting) }), ...recoveryRequests({ pool })],
    }),
    httpServer({ ...refusing, app, host: config.HOST, port: config.PORT }),
    // Last, and therefore stopped first: the server waits for open responses, and a stream never ends by itself.
    live.component,
  ];
}

const retentionOf = ({ SESSION_COPY_DAYS: days }: Config): Retention[] => [
  { name: "copies of sessions", days, remove: deleteCopies },
];

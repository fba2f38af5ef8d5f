import { type Bus, fulfilContracts } from "@collect/bus";
import { createPool, database, type Pool } from "@collect/database";
import { createHttpApp, forgetRateLimits, httpServer } from "@collect/http";
import type { Component, Logger } from "@collect/runtime";
import { createAuth } from "./adapters/auth.ts";
import type { Config } from "./config.ts";
import { accountRoutes } from "./handlers/account.ts";
import { createCookies } from "./handlers/cookies.ts";
import { createLimits } from "./handlers/limits.ts";
import { createLive } from "./handlers/live.ts";
import { answerOperator } from "./handlers/operator.ts";
import { openPages } from "./handlers/pages.ts";
import { merchantRoutes } from "./handlers/routes.ts";
import { signInRoutes } from "./handlers/sign-in.ts";
import { createVisitors, refuseOtherSites } from "./handlers/visitors.ts";
import { openRecords } from "./store/records.ts";
import { finishBusinesses } from "./workers/businesses.ts";
import { forgetWhatIsOver } from "./workers/forgetting.ts";

export type Deps = { config: Config; pool: Pool; bus: Bus; log: Logger; web?: string };

/** People's side of the product: who they are, whose they are, and the same requests behind it as the merchant API. */
export function createApp({ config, pool, bus, log, web }: Deps): Component[] {
  // Attempts are counted by themselves, and need not survive a crash of PostgreSQL.
  const counting = createPool({
    url: config.DATABASE_URL,
    service: "dashboard",
    log,
    max: 2,
    settings: ["synchronous_commit=off"],
  });
  const auth = createAuth({ config, records: openRecords(pool), log });
  const cookies = createCookies(config);
  const visitors = createVisitors({ pool, cookies });
  const limits = createLimits(counting);
  const live = createLive({ bus, pool, visitors, log });
  const pages = openPages({ log, directory: web });
  const app = createHttpApp({
    log,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    routes: (app) => {
      app.set("trust proxy", config.TRUSTED_PROXIES);
      pages.reportRoute(app);
      app.use("/api", refuseOtherSites(config.APP_URL), (_request, response, next) => {
        response.setHeader("Cache-Control", "private, no-store");
        next();
      });
      signInRoutes({ auth, pool, cookies, visitors, limits })(app);
      accountRoutes({ auth, bus, config, cookies, limits, log, pool, visitors })(app);
      live.route(app);
      merchantRoutes({ bus, config, log, pool, visitors })(app);
      pages.routes(app);
    },
  });
  return [
    database(counting),
    forgetRateLimits(counting, { log }),
    forgetWhatIsOver(pool, { log }),
    finishBusinesses({ pool, bus, log }),
    ...fulfilContracts(bus, { service: "dashboard", log, requests: answerOperator({ pool, bus, config }) }),
    pages.part,
    httpServer({ app, host: config.HOST, port: config.PORT, log }),
    // Stopped before the server is: it waits for whoever is still connected.
    live.part,
  ];
}

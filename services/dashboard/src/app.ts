import { type Bus, fulfillContracts } from "@collect/bus";
import { connectionOf, createPool, database, type Pool } from "@collect/database";
import { deleteExpiredRateLimits, type HttpApp, httpServer } from "@collect/http";
import { type Component, createKeyring, type Logger } from "@collect/runtime";
import { createAuth } from "./adapters/auth.ts";
import { createSecondFactors } from "./adapters/second-factors.ts";
import type { Config } from "./config.ts";
import { operatorRequests } from "./handlers/operator.ts";
import { secretRequests } from "./handlers/secrets.ts";
import { createCookies } from "./http/cookies.ts";
import { createExportSlots } from "./http/export-slots.ts";
import { createLive } from "./http/live-updates.ts";
import { merchantRoutes } from "./http/merchant-routes.ts";
import { openPages } from "./http/pages.ts";
import { personRoutes } from "./http/person-routes.ts";
import { createRateLimits } from "./http/rate-limits.ts";
import { receiverRoutes } from "./http/receiver.ts";
import { createSessions } from "./http/sessions.ts";
import { signInRoutes } from "./http/sign-in-routes.ts";
import { createSite } from "./http/site.ts";
import { statementRoute } from "./http/statement-route.ts";
import { createPrisma } from "./store/prisma.ts";
import { noteAnnouncements } from "./workers/announcements.ts";
import { copyAuditLog } from "./workers/audit.ts";
import { finishBusinesses } from "./workers/businesses.ts";
import { cleanUp } from "./workers/cleanup.ts";
import { noteDecisions } from "./workers/decisions.ts";
import { sendMails } from "./workers/mail.ts";
import { mailReports } from "./workers/reports.ts";

export type Deps = { config: Config; pool: Pool; bus: Bus; log: Logger; web?: string };

/** The dashboard's server: users, teams, and calls that become the same requests as the merchant API's. */
export function createApp({ config, pool, bus, log, web }: Deps): Component[] {
  // Attempts are counted on separate connections, because the counts need not survive a crash of PostgreSQL.
  const counting = createPool({
    ...connectionOf(config),
    service: "dashboard",
    name: "counting",
    log,
    max: 2,
    settings: ["synchronous_commit=off"],
  });
  const keyring = createKeyring(config.KEYRING, { isSealing: config.SEAL_SECRETS });
  const secondFactors = createSecondFactors(keyring, config.AUTH_SECRET);
  const auth = createAuth({ config, prisma: createPrisma(pool), log, secondFactors });
  const cookies = createCookies(config);
  const sessions = createSessions({ pool, cookies, config });
  const limits = createRateLimits(counting);
  const live = createLive({ bus, config, pool, sessions, log });
  const pages = openPages({ log, directory: web });
  const exportSlots = createExportSlots();
  const calls = (app: HttpApp) => {
    signInRoutes({ auth, config, pool, cookies, sessions, limits })(app);
    personRoutes({ auth, bus, config, cookies, limits, log, pool, sessions })(app);
    live.route(app);
    merchantRoutes({ bus, config, keyring, log, pool, sessions, exportSlots })(app);
    statementRoute({ bus, log, sessions, exportSlots })(app);
    if (config.TEST_RECEIVER_URL !== undefined) receiverRoutes({ bus, pool, limits })(app);
  };
  const app = createSite({ config, pages, log, calls });
  return [
    database(counting),
    deleteExpiredRateLimits(counting, { log }),
    cleanUp(pool, { log }),
    finishBusinesses({ pool, bus, log }),
    copyAuditLog(pool, { bus, log }),
    sendMails({ pool, config, log }),
    ...noteAnnouncements({ pool, bus, log }),
    ...(config.SMTP_URL === undefined ? [] : [noteDecisions({ pool, bus, log }), mailReports({ pool, log })]),
    ...fulfillContracts(bus, {
      service: "dashboard",
      log,
      requests: [...secretRequests({ pool, secondFactors, keyring, log }), ...operatorRequests({ pool, bus, config })],
    }),
    pages.component,
    httpServer({ app, host: config.HOST, port: config.PORT, log }),
    // Stopped before the server, which waits until every page has disconnected.
    live.component,
  ];
}

import { createHttpApp, type HttpApp } from "@collect/http";
import type { Logger } from "@collect/runtime";
import type { openPages } from "./pages.ts";
import { refuseOtherSites } from "./sessions.ts";

type Deps = {
  config: { APP_URL: string; TRUSTED_PROXIES: Parameters<typeof createHttpApp>[0]["trustedProxies"] };
  pages: ReturnType<typeof openPages>;
  log: Logger;
  calls: (app: HttpApp) => void;
};

/** What an address serves, merchants' or operators': its pages and its calls, which no other site can make and no cache keeps. */
export function createSite({ config, pages, log, calls }: Deps) {
  return createHttpApp({
    log,
    trustedProxies: config.TRUSTED_PROXIES,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    routes: (app) => {
      pages.reportRoute(app);
      app.use("/api", refuseOtherSites(config.APP_URL), (_request, response, next) => {
        response.setHeader("Cache-Control", "private, no-store");
        next();
      });
      calls(app);
      pages.routes(app);
    },
  });
}

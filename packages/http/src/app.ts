import { randomUUID } from "node:crypto";
import { Problem } from "@collect/contracts";
import type { Logger } from "@collect/runtime";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import helmet from "helmet";
import { observeRequests } from "./observe.ts";
import { escapeUndecodablePath } from "./paths.ts";
import { type ProblemType, renderProblem } from "./problem.ts";
import { type TrustedProxies, trustProxies } from "./trusted-proxies.ts";

export type HttpApp = Express;
/** Directives of a Content-Security-Policy: `{ defaultSrc: ["'none'"] }`. */
export type ContentSecurityPolicy = Record<string, string[]>;

/** A client's request id is echoed if it matches this. It is an id beside ours, and proves nothing. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,100}$/;

/**
 * An Express app with the base of every HTTP service: security headers, a request id, one log line per request, and one
 * place where refusals are rendered. `routes` adds the rest. A service with pages passes its complete policy; the
 * others use helmet's.
 */
export function createHttpApp(options: {
  log: Logger;
  /** The proxies whose `X-Forwarded-For` is believed: `request.ip` is the caller in front of them. None by default. */
  trustedProxies?: TrustedProxies;
  contentSecurityPolicy?: ContentSecurityPolicy;
  /** The pages about its errors, if there are any. */
  problemType?: ProblemType;
  routes: (app: HttpApp) => void;
}): HttpApp {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  trustProxies(app, options.trustedProxies ?? 0);
  const { contentSecurityPolicy: directives } = options;
  app.use(helmet(directives && { contentSecurityPolicy: { useDefaults: false, directives } }));
  app.use(observeRequests(options.log));
  app.use((request: Request, response: Response, next: NextFunction) => {
    const given = request.get("x-request-id");
    const requestId = randomUUID();
    const clientRequestId = given && REQUEST_ID.test(given) ? given : undefined;
    Object.assign(response.locals, { requestId, clientRequestId });
    response.setHeader("X-Request-Id", clientRequestId ?? requestId);
    next();
  });
  app.use(escapeUndecodablePath);
  options.routes(app);
  app.use(() => {
    throw new Problem("not_found", "There is nothing at this URL.");
  });
  app.use(renderProblem(options.log, { typeOf: options.problemType }));
  return app;
}

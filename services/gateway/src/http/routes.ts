import type { Bus } from "@collect/bus";
import { byPath, type Caller, type HttpApp, limitConcurrency, onlyMethods, readBody } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { type Endpoint, isListed, templateOf } from "../domain/endpoint.ts";
import { ENDPOINTS } from "../endpoints.ts";
import type { Authenticate } from "./authentication.ts";
import { documentation } from "./documentation.ts";
import { forward } from "./forward.ts";
import type { LimitPublicCalls } from "./public-limits.ts";

const VERSION = "v1";
const BODY_BYTES_MAX = 32 * 1024;

type Deps = {
  bus: Bus;
  authenticate: Authenticate;
  limitPublicCalls: LimitPublicCalls;
  logCalls: RequestHandler;
  docs: string | null;
};

/** The index, the documentation, and the table of endpoints as routes, each path with a 405 for other methods. */
export function routes({ docs, ...deps }: Deps): (app: HttpApp) => void {
  const limited = limitConcurrency(ofMerchant);
  return (app) => {
    app.get(`/${VERSION}`, index(docs));
    app.all(`/${VERSION}`, onlyMethods("GET"));
    for (const prefix of ["", `/${VERSION}`]) documentation(prefix)(app);
    for (const [path, endpoints] of byPath(ENDPOINTS)) {
      for (const endpoint of endpoints) {
        const method = endpoint.method === "GET" ? "get" : "post";
        app[method](`/${VERSION}${path}`, ...handlers(endpoint, { ...deps, limited }));
      }
      app.all(`/${VERSION}${path}`, onlyMethods(...endpoints.map((endpoint) => endpoint.method)));
    }
  };
}

/** Authentication and rate limits come before the body is read; after it, the call waits for its slot. */
function handlers(
  endpoint: Endpoint,
  { bus, authenticate, limitPublicCalls, logCalls, limited }: Omit<Deps, "docs"> & { limited: RequestHandler },
): RequestHandler[] {
  const body = endpoint.method === "POST" ? readBody({ maxBytes: BODY_BYTES_MAX }) : [];
  const isKnown = [logCalls, notStored, authenticate(endpoint), ...limitPublicCalls(endpoint)];
  return [...isKnown, ...body, limited, forward(endpoint, bus)];
}

/** Payers' calls have no merchant, and together have the share of one. */
function ofMerchant(_request: Request, response: Response): Caller {
  const { mode = "live", merchantId = "payers" } = response.locals;
  return { mode, merchantId };
}

function index(docs: string | null): RequestHandler {
  const endpoints = ENDPOINTS.filter(isListed).map(({ method, path }) => `${method} ${templateOf(path)}`);
  return (_request, response) => {
    response.json({ name: "Merchant Collection API", version: VERSION, docs, endpoints });
  };
}

const notStored: RequestHandler = (_request, response, next) => {
  response.setHeader("Cache-Control", "no-store");
  next();
};

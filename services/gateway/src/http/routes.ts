import type { Bus } from "@collect/bus";
import { isReferenceOf, notFound } from "@collect/contracts";
import {
  byPath,
  type Caller,
  type HttpApp,
  type LimitedConcurrency,
  limitConcurrency,
  onlyMethods,
  readBody,
  refuseOtherOrigins,
} from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { type Endpoint, isListed, isOpenToForms, scopesOf, templateOf } from "../domain/endpoint.ts";
import { ENDPOINTS } from "../endpoints.ts";
import type { AwaitEvents } from "../use-cases/await-events.ts";
import type { Recorded } from "../use-cases/recorded.ts";
import type { Authenticate } from "./authentication.ts";
import { awaitEvents } from "./await-events.ts";
import { documentation } from "./documentation.ts";
import { forward } from "./forward.ts";

const VERSION = "v1";
const BODY_BYTES_MAX = 32 * 1024;

type Deps = {
  bus: Bus;
  authenticate: Authenticate;
  recognize: RequestHandler;
  logCalls: RequestHandler;
  urls: { api: string; docs: string | null };
  recorded: Recorded;
  untilEvents: AwaitEvents;
};

/** The index, the documentation, and the table of endpoints as routes, each path with a 405 for other methods. */
export function routes({ urls, recognize, ...deps }: Deps): (app: HttpApp) => void {
  const limited = limitConcurrency(ofMerchant);
  const other = [notStored, recognize];
  return (app) => {
    app.get(`/${VERSION}`, index(urls.docs));
    app.all(`/${VERSION}`, ...other, onlyMethods("GET"));
    documentation(urls.api)(app);
    for (const [path, endpoints] of byPath(ENDPOINTS)) {
      for (const endpoint of endpoints) {
        const method = endpoint.method === "GET" ? "get" : "post";
        app[method](`/${VERSION}${path}`, ...handlers(endpoint, { ...deps, limited }));
      }
      app.all(`/${VERSION}${path}`, ...other, onlyMethods(...endpoints.map((endpoint) => endpoint.method)));
    }
    app.use(`/${VERSION}`, ...other);
  };
}

/** Authentication and rate limits come before the body is read; after it, the call waits for its slot. */
function handlers(
  endpoint: Endpoint,
  {
    bus,
    recorded,
    untilEvents,
    authenticate,
    logCalls,
    limited,
  }: Omit<Deps, "urls" | "recognize"> & { limited: LimitedConcurrency },
): RequestHandler[] {
  const body = endpoint.method === "POST" ? readBody({ maxBytes: BODY_BYTES_MAX }) : [];
  const isKnown = [
    logCalls,
    notStored,
    authenticate(endpoint),
    ...(endpoint.key === "none" ? [wellFormedReference] : []),
    ...(isOpenToForms(endpoint) ? [refuseOtherOrigins] : []),
  ];
  const held = endpoint.awaitsEvents
    ? [awaitEvents(untilEvents, authenticate({ ...endpoint, budget: undefined }))]
    : [];
  return [...isKnown, ...body, ...held, limited(forward(endpoint, { bus, recorded }))];
}

/** A malformed reference of a session is refused before the body is read: it gets the same response as an unknown one. */
const wellFormedReference: RequestHandler = (request, _response, next) => {
  if (!isReferenceOf("pay", String(request.params.reference))) throw notFound();
  next();
};

/** Payers' calls have no merchant, and together have the share of one. */
function ofMerchant(_request: Request, response: Response): Caller {
  const { mode = "live", merchantId = "payers" } = response.locals;
  return { mode, merchantId };
}

function index(docs: string | null): RequestHandler {
  const endpoints = ENDPOINTS.filter(isListed).map(({ method, path }) => `${method} ${templateOf(path)}`);
  const scopes = scopesOf(ENDPOINTS);
  return (_request, response) => {
    response.json({ name: "Merchant Collection API", version: VERSION, docs, endpoints, scopes });
  };
}

const notStored: RequestHandler = (_request, response, next) => {
  response.setHeader("Cache-Control", "no-store");
  next();
};

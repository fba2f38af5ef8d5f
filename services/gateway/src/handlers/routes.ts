import type { Bus } from "@collect/bus";
import { fieldErrors, type Merchant, Problem, type RequestContract } from "@collect/contracts";
import { fromForm, type HttpApp, readBody, requestIdOf } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { ENDPOINTS, type Endpoint } from "../endpoints.ts";
import { type Authenticate, merchantOf } from "./authentication.ts";

const VERSION = "v1";
const BODY_BYTES_MAX = 32 * 1024;

type Deps = { bus: Bus; authenticate: Authenticate; docs: string | null };
type Fields = Record<string, unknown>;

/** The table of endpoints as routes, with the index before them and a 405 behind them. */
export function routes({ bus, authenticate, docs }: Deps): (app: HttpApp) => void {
  return (app) => {
    app.use(escapeWhatCannotBeDecoded);
    app.get(`/${VERSION}`, index(docs));
    for (const endpoint of ENDPOINTS) {
      const method = endpoint.method === "GET" ? "get" : "post";
      const body = endpoint.method === "POST" ? readBody({ maxBytes: BODY_BYTES_MAX }) : [];
      app[method](`/${VERSION}${endpoint.path}`, authenticate(endpoint), ...body, answer(endpoint, bus));
    }
    for (const path of new Set(["", ...ENDPOINTS.map((endpoint) => endpoint.path)]))
      app.all(`/${VERSION}${path}`, notAllowed(path));
  };
}

/** Passes the call on as a request and its reply back; both are JSON that the service behind reads and writes. */
function answer(endpoint: Endpoint, bus: Bus): RequestHandler {
  return async (request, response) => {
    const input = inputOf(endpoint.request, request, response);
    const reply = await bus.request(endpoint.request, input, requestIdOf(response)).catch(asOneNotFound);
    const { status, body } = endpoint.answer?.(reply) ?? { status: 200, body: reply };
    response.status(status).json(body);
  };
}

/**
 * The contract's own fields, as they came, out of the query of a GET or the body of a POST; whatever else was sent is
 * ignored. What the path says and who calls comes last, so nothing that was sent can stand for it.
 */
function inputOf(contract: RequestContract, request: Request, response: Response): Fields {
  const sent = request.method === "POST" ? bodyOf(contract, request, response) : request.query;
  const given: Fields = { ...sent, ...request.params, merchant: merchantOf(response) satisfies Merchant };
  const input = Object.fromEntries(
    Object.keys(contract.input.shape)
      .filter((name) => Object.hasOwn(given, name))
      .map((name) => [name, given[name]]),
  );
  const parsed = contract.input.safeParse(input);
  if (parsed.success) return input;
  const errors = fieldErrors(parsed.error).filter(({ param }) => !Object.hasOwn(request.params, param));
  // A malformed reference in a path is a reference that is not there.
  if (errors.length === 0) throw notFound();
  throw new Problem("validation_failed", "Some fields are missing or not right.", { errors });
}

function bodyOf(contract: RequestContract, request: Request, response: Response): Fields {
  return response.locals.form ? fromForm(contract.input, request.body) : request.body;
}

const notFound = () => new Problem("not_found", "There is nothing under this reference.");

/** Missing, foreign, of the other mode, malformed: one answer, whatever words the service behind has for it. */
function asOneNotFound(error: unknown): never {
  throw error instanceof Problem && error.code === "not_found" ? notFound() : error;
}

function index(docs: string | null): RequestHandler {
  const endpoints = ENDPOINTS.filter(({ testOnly }) => !testOnly).map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  );
  return (_request, response) => {
    response.json({ name: "Merchant Collection API", version: VERSION, docs, endpoints });
  };
}

function notAllowed(path: string): RequestHandler {
  const methods = ENDPOINTS.filter((endpoint) => endpoint.path === path).map(({ method }) => method as string);
  const allowed = methods.length > 0 ? methods : ["GET"];
  if (allowed.includes("GET")) allowed.push("HEAD");
  return (_request, response) => {
    response.setHeader("Allow", allowed.join(", "));
    throw new Problem("method_not_allowed", `This address takes ${allowed.join(" and ")} only.`);
  };
}

/** `%zz` in a path is a reference with a percent sign, and so one that is not there; Express would not even look for its route. */
const escapeWhatCannotBeDecoded: RequestHandler = (request, _response, next) => {
  try {
    decodeURIComponent(request.path);
  } catch {
    const [path = "", ...query] = request.url.split("?");
    request.url = [path.replaceAll("%", "%25"), ...query].join("?");
  }
  next();
};

import type { Bus } from "@collect/bus";
import { instantOf, Mode, notFound, Problem, toNotFound } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { assertFields, byPath, type HttpApp, onlyMethods, pickFields, readBody, requestIdOf } from "@collect/http";
import { failpoint, type Logger } from "@collect/runtime";
import type { Request, RequestHandler, Response } from "express";
import type { Fields } from "../calls/declaration.ts";
import type { Config } from "../config.ts";
import { isAddressable } from "../domain/reference.ts";
import { ENDPOINTS, type Endpoint } from "../endpoints.ts";
import { noteAct, noteOutcome } from "../store/audit.ts";
import { findStillAllowed } from "../store/sessions.ts";
import type { SentCall } from "./call.ts";
import { CSV_PAGE, createExports } from "./csv-export.ts";
import { assertRecentlyAuthenticated, assertRole, type Member, type Sessions } from "./sessions.ts";

export const SCOPE = "/api/m/:merchant/:mode";
/** The maximum size of a webhook pasted into the verifier, as JSON in JSON. */
const BODY_BYTES_MAX = 128 * 1024;

type Deps = { bus: Bus; config: Config; log: Logger; pool: Pool; sessions: Sessions };

/** The table of endpoints as routes: each list also as CSV, and each path with a 405 for other methods. */
export function merchantRoutes(deps: Deps): (app: HttpApp) => void {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  const exportRows = createExports();
  return (app) => {
    for (const [path, endpoints] of byPath(ENDPOINTS)) {
      for (const endpoint of endpoints) {
        const allow = authorize(endpoint, deps);
        if (endpoint.method === "POST") app.post(`${SCOPE}${path}`, allow, ...body, respond(endpoint, deps));
        else app.get(`${SCOPE}${path}`, allow, respond(endpoint, deps));
        if (endpoint.rows) app.get(`${SCOPE}${path}.csv`, allow, respondAsCsv(endpoint, deps, exportRows));
      }
      app.all(`${SCOPE}${path}`, onlyMethods(...endpoints.map(({ method }) => method)));
      if (endpoints.some(({ rows }) => rows)) app.all(`${SCOPE}${path}.csv`, onlyMethods("GET"));
    }
  };
}

/** Authenticates the caller and checks the membership, in one statement, before any input is examined. */
export async function memberOf(
  request: Request,
  response: Response,
  { role, sessions }: Pick<Endpoint, "role"> & { sessions: Sessions },
): Promise<Member> {
  const mode = Mode.safeParse(request.params.mode);
  const id = String(request.params.merchant);
  if (!mode.success || !isAddressable(id)) {
    await sessions.signedIn(request);
    throw notFound();
  }
  const member = await sessions.member(request, { id, mode: mode.data }, role);
  Object.assign(response.locals, { merchantId: id, mode: mode.data });
  return member;
}

function authorize({ role, recentlyAuthenticated, orOneself }: Endpoint, { sessions }: Deps): RequestHandler {
  return async (request, response, next) => {
    const member = await memberOf(request, response, { role: orOneself ? "viewer" : role, sessions });
    if (orOneself && request.params.user_id !== member.user_id) assertRole(member.role, role);
    if (recentlyAuthenticated === true || recentlyAuthenticated === member.merchant.mode)
      assertRecentlyAuthenticated(member);
    response.locals.member = member;
    next();
  };
}

function respond(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response) => {
    const call = callOf(endpoint, deps, request, response);
    response.json(await audited(endpoint, call, deps, () => answer(endpoint, call)));
  };
}

function respondAsCsv(endpoint: Endpoint, deps: Deps, exportRows: ReturnType<typeof createExports>): RequestHandler {
  return async (request, response) => {
    const { rows } = endpoint;
    if (!rows) throw notFound();
    const call = callOf(endpoint, deps, request, response);
    const { after: _after, limit: _limit, ...filters } = call.fields;
    const { mode } = call.member.merchant;
    const [list] = endpoint.path.slice(1).split("/");
    const name = `${list}${endpoint.path.endsWith("/lines") ? "-lines" : ""}-${mode}-${instantOf(new Date()).slice(0, 10)}`;
    const { token, user_id: userId, merchant } = call.member;
    await exportRows(response, {
      rows,
      name,
      userId,
      mayStill: async () => (await findStillAllowed(deps.pool, [{ token, merchantId: merchant.id }])).has(0),
      readPage: (after) =>
        answer(endpoint, { ...call, fields: { ...filters, limit: String(CSV_PAGE), ...(after && { after }) } }),
    });
  };
}

function callOf(endpoint: Endpoint, { bus, config, pool }: Deps, request: Request, response: Response): SentCall {
  const member: Member = response.locals.member;
  const requestId = requestIdOf(response);
  return {
    deps: { bus, config, pool },
    member,
    fields: fieldsOf(endpoint, request, member),
    requestId,
    request: (contract, data) => bus.request(contract, data, requestId),
  };
}

function answer(endpoint: Endpoint, call: SentCall): Promise<unknown> {
  const response = "request" in endpoint ? call.request(endpoint.request, call.fields) : endpoint.answer(call);
  return response.catch(toNotFound);
}

/**
 * The endpoint's fields, unparsed, from the query of a GET or the body of a POST; all others are ignored. The path parameters
 * and the merchant come last, so that no field sent by the client can override them.
 */
function fieldsOf(endpoint: Endpoint, request: Request, { merchant }: Member): Fields {
  const schema = "request" in endpoint ? endpoint.request.input : endpoint.input;
  const { merchant: _merchant, mode: _mode, ...inPath } = request.params;
  const sent: Fields = request.method === "POST" ? request.body : request.query;
  const scope = "request" in endpoint ? { merchant, merchant_id: merchant.id, mode: merchant.mode } : {};
  const given: Fields = { ...sent, ...inPath, ...scope };
  const fields = pickFields(schema, given);
  assertFields(schema, fields, { inPath, isAddressable });
  return fields;
}

/** Whether the error proves that nothing was done. After any other error the outcome is unknown, and is logged as such. */
const wasRefused = (error: unknown) => error instanceof Problem && !OUTCOME_UNKNOWN.has(error.code);
const OUTCOME_UNKNOWN = new Set([
  "service_unavailable",
  "internal_error",
  "provider_timeout",
  "provider_error",
  "request_timeout",
]);

/** Records the action in the audit log, performs it, and records its outcome. After a crash in between the outcome is unknown. */
async function audited(
  { audit, subject }: Endpoint,
  call: SentCall,
  { pool, log }: Deps,
  act: () => Promise<unknown>,
): Promise<unknown> {
  if (!audit) return act();
  const { member, fields, requestId } = call;
  const id = await noteAct(pool, {
    merchantId: member.merchant.id,
    mode: audit.bothModes ? null : member.merchant.mode,
    userId: member.user_id,
    action: audit.action,
    detail: { ...audit.detail?.(fields), ...(await subject?.(call)) },
    requestId,
  });
  failpoint("committed");
  // The action is done, and its response may contain a secret that is shown only once: a failed log write does not fail it.
  const recordOutcome = (outcome: "done" | "refused") =>
    noteOutcome(pool, id, outcome).catch((error) =>
      log.error({ request_id: requestId, audit_id: String(id), err: error }, "the outcome of an act is not in the log"),
    );
  try {
    const done = await act();
    await recordOutcome("done");
    return done;
  } catch (error) {
    if (wasRefused(error)) await recordOutcome("refused");
    throw error;
  }
}

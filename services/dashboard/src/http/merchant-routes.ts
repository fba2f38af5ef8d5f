import { type Bus, concluded } from "@collect/bus";
import { concludeAct, instantOf, Mode, notFound, recordAct, toNotFound } from "@collect/contracts";
import type { Pool } from "@collect/database";
import {
  assertFields,
  byPath,
  contextOf,
  type HttpApp,
  onlyMethods,
  pickFields,
  readBody,
  setActor,
} from "@collect/http";
import { failpoint, type Keyring, type Logger } from "@collect/runtime";
import type { Request, RequestHandler, Response } from "express";
import type { Fields } from "../calls/declaration.ts";
import type { Config } from "../config.ts";
import { isAddressable } from "../domain/reference.ts";
import { assertAllowed, isAllowed } from "../domain/role.ts";
import { ENDPOINTS, type Endpoint } from "../endpoints.ts";
import { findStillAllowed } from "../store/sessions.ts";
import { announced } from "./announced.ts";
import type { SentCall } from "./call.ts";
import { clientOf } from "./client.ts";
import type { ExportSlots } from "./export-slots.ts";
import { createExports, EXPORT_PAGE, FORMATS } from "./list-export.ts";
import {
  asActor,
  assertConfirmed,
  assertRecentlyAuthenticated,
  limitsOf,
  type Member,
  type Sessions,
} from "./sessions.ts";

export const SCOPE = "/api/m/:merchant/:mode";
/** The maximum size of a webhook pasted into the verifier, as JSON in JSON. */
const BODY_BYTES_MAX = 128 * 1024;

type Rules = Pick<Endpoint, "permission" | "recentlyAuthenticated" | "confirmed" | "orOneself" | "audit">;
type Deps = {
  bus: Bus;
  config: Config;
  keyring: Keyring;
  log: Logger;
  pool: Pool;
  sessions: Sessions;
  exportSlots: ExportSlots;
};

/** The table of endpoints as routes: each list also as CSV and XLSX, and each path with a 405 for other methods. */
export function merchantRoutes(deps: Deps): (app: HttpApp) => void {
  const body = readBody({ maxBytes: BODY_BYTES_MAX });
  const exportRows = createExports(deps.exportSlots);
  return (app) => {
    for (const [path, endpoints] of byPath(ENDPOINTS)) {
      for (const endpoint of endpoints) {
        const allow = authorize(endpoint, deps);
        if (endpoint.method === "POST") app.post(`${SCOPE}${path}`, allow, ...body, respond(endpoint, deps));
        else app.get(`${SCOPE}${path}`, allow, respond(endpoint, deps));
        const { rows, exportedWith = "exports" } = endpoint;
        const mayExport = authorize({ ...endpoint, permission: exportedWith }, deps);
        for (const format of rows ? FORMATS : [])
          app.get(`${SCOPE}${path}.${format}`, mayExport, respondAsFile({ ...deps, endpoint, exportRows, format }));
      }
      app.all(`${SCOPE}${path}`, onlyMethods(...endpoints.map(({ method }) => method)));
      for (const format of endpoints.some(({ rows }) => rows) ? FORMATS : [])
        app.all(`${SCOPE}${path}.${format}`, onlyMethods("GET"));
    }
  };
}

/** Authenticates the caller and checks the membership, in one statement, before any input is examined. */
export async function memberOf(
  request: Request,
  response: Response,
  { permission, audit, sessions }: Pick<Endpoint, "permission" | "audit"> & { sessions: Sessions },
): Promise<Member> {
  const mode = Mode.safeParse(request.params.mode);
  const id = String(request.params.merchant);
  if (!mode.success || !isAddressable(id)) {
    await sessions.signedIn(request);
    throw notFound();
  }
  const member = await sessions.member(
    request,
    { id, mode: mode.data },
    {
      permission,
      concernsLive: mode.data === "live" || audit?.bothModes === true,
    },
  );
  Object.assign(response.locals, { merchantId: id, mode: mode.data });
  setActor(response, asActor(member));
  return member;
}

function authorize(
  { permission, recentlyAuthenticated, confirmed, orOneself, audit }: Rules,
  { sessions, config }: Deps,
): RequestHandler {
  return async (request, response, next) => {
    const member = await memberOf(request, response, { permission: orOneself ? "read" : permission, audit, sessions });
    if (orOneself && request.params.user_id !== member.user_id) assertAllowed(member.role, permission);
    if (recentlyAuthenticated === true || recentlyAuthenticated === member.merchant.mode)
      assertRecentlyAuthenticated(member);
    if (confirmed === true || confirmed === member.merchant.mode) assertConfirmed(member, config);
    response.locals.member = member;
    next();
  };
}

function respond(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response) => {
    const call = callOf(endpoint, deps, request, response);
    const act = () =>
      audited(endpoint, call, deps, async () => {
        const needed = endpoint.alsoNeeds?.(call.fields, call.member.merchant.mode);
        if (needed) assertAllowed(call.member.role, needed);
        return answer(endpoint, call);
      });
    response.json(await announced(endpoint, call, deps.pool, act));
  };
}

type ExportDeps = Deps & {
  endpoint: Endpoint;
  exportRows: ReturnType<typeof createExports>;
  format: (typeof FORMATS)[number];
};

function respondAsFile({ endpoint, exportRows, format, ...deps }: ExportDeps): RequestHandler {
  return async (request, response) => {
    const { rows, isImported, exportedWith = "exports" } = endpoint;
    if (!rows) throw notFound();
    const call = callOf(endpoint, deps, request, response);
    const { after: _after, limit: _limit, ...filters } = call.fields;
    const { mode } = call.member.merchant;
    const list = endpoint.path.split("/").filter((segment) => segment && !segment.startsWith(":"));
    const of = filters.month ?? instantOf(new Date()).slice(0, 10);
    const name = [...list, mode, of].join("-");
    const { token, user_id: userId, merchant } = call.member;
    const limits = limitsOf(deps.config);
    const mayStill = async () => {
      const role = (await findStillAllowed(deps.pool, [{ token, merchantId: merchant.id }], limits)).get(0);
      return role !== undefined && isAllowed(role, exportedWith);
    };
    const readPage = (after: string | undefined) =>
      answer(endpoint, { ...call, fields: { ...filters, limit: String(EXPORT_PAGE), ...(after && { after }) } });
    const act = { action: "list.exported", detail: { list: name, ...filters }, mode, log: deps.log };
    await recorded(call, act, () =>
      exportRows(response, { format, rows, isImported, name, userId, merchantId: merchant.id, mayStill, readPage }),
    );
  };
}

function callOf(
  endpoint: Endpoint,
  { bus, config, keyring, pool }: Deps,
  request: Request,
  response: Response,
): SentCall {
  const member: Member = response.locals.member;
  const context = contextOf(response);
  return {
    deps: { bus, config, keyring, pool },
    member,
    fields: fieldsOf(endpoint, request, member),
    context,
    client: clientOf(request),
    request: (contract, data) => bus.request(contract, data, context),
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

async function audited({ audit, subject }: Endpoint, call: SentCall, { log }: Deps, act: () => Promise<unknown>) {
  const { merchant } = call.member;
  if (!audit || (audit.liveOnly && merchant.mode !== "live")) return act();
  const detail = { ...audit.detail?.(call.fields), ...(await subject?.(call)) };
  return recorded(call, { action: audit.action, detail, mode: audit.bothModes ? null : merchant.mode, log }, act);
}

type Act = { action: string; detail: Fields; mode: Mode | null; log: Logger };

/** Records the act in the audit log, performs it, and records its outcome. After a crash in between the outcome is unknown. */
export async function recorded<Result>(
  call: Pick<SentCall, "member" | "request">,
  { log, ...act }: Act,
  work: () => Promise<Result>,
): Promise<Result> {
  const entry = await call.request(recordAct, { ...act, merchant_id: call.member.merchant.id });
  failpoint("committed");
  const conclude = (outcome: "done" | "refused", detail: Fields) =>
    call.request(concludeAct, { entry, outcome, detail });
  return concluded({ conclude, log }, work);
}

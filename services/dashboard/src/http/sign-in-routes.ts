import type { Pool } from "@collect/database";
import { type HttpApp, onlyMethods, readBody } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Auth } from "../adapters/auth.ts";
import { PERSON_ACTS, type PERSON_READS } from "../calls/person.ts";
import { sha256 } from "../domain/token.ts";
import { forgiveAttempts } from "../store/rate-limits.ts";
import { carryOverAuthentication, endSession } from "../store/sessions.ts";
import { relay } from "./better-auth.ts";
import type { Cookies } from "./cookies.ts";
import { readFields } from "./fields.ts";
import { withCode } from "./one-time-codes.ts";
import type { RateLimits } from "./rate-limits.ts";
import { assertRecentlyAuthenticated, type Sessions } from "./sessions.ts";

const BODY_BYTES_MAX = 8 * 1024;

/** A reachable endpoint of better-auth, with the declared fields. */
type Route = {
  /** Who may call. */
  allow: "anyone" | "signed in" | "recently authenticated";
  /** Fixed fields, which the client cannot override. */
  always?: object;
  /** The response body, from better-auth's. */
  toResponse?: (answer: unknown) => unknown;
  limits?: (limits: RateLimits) => RequestHandler[];
  /** Wraps the call of better-auth. */
  around?: (deps: Deps, request: Request, response: Response, call: () => Promise<unknown>) => Promise<unknown>;
  after?: (deps: Deps, request: Request, response: Response, answer: unknown) => Promise<void>;
};

type Deps = { auth: Auth; pool: Pool; cookies: Cookies; sessions: Sessions; limits: RateLimits };

type Below<Table> = Extract<keyof Table, `auth/${string}`>;

/** The reachable endpoints of better-auth; every other one is 404. */
export function signInRoutes(deps: Deps): (app: HttpApp) => void {
  return (app) => {
    for (const [path, route] of Object.entries(READS)) {
      app.get(`/api/${path}`, identify(route, deps), respond(path, route, deps));
      app.all(`/api/${path}`, onlyMethods("GET"));
    }
    const routes: Record<string, Route> = acts(deps);
    for (const [path, { input }] of Object.entries(PERSON_ACTS)) {
      const route = routes[path];
      if (!route) continue;
      const body = [...readBody({ maxBytes: BODY_BYTES_MAX }), readFields(input)];
      const limits = route.limits?.(deps.limits) ?? [];
      app.post(`/api/${path}`, identify(route, deps), ...body, ...limits, respond(path, route, deps));
      app.all(`/api/${path}`, onlyMethods("POST"));
    }
  };
}

/** Responses do not contain the session's own token, which is only in the cookie. */
const READS: { [Path in Below<typeof PERSON_READS>]: Route } = {
  // A token is useless for signing in without its signature; here it identifies the session to revoke.
  "auth/list-sessions": { allow: "signed in", toResponse: (answer) => answer },
};

function acts({ cookies }: Deps): { [Path in Below<typeof PERSON_ACTS>]: Route } {
  const confirmations = ({ limit }: RateLimits) => [
    limit("confirmation", (_request, response) => response.locals.userId),
  ];
  // A signed-in user needs few codes, but an attacker with a stolen session could try many to reauthenticate.
  const secondFactor = ({ byAddress, limit }: RateLimits) => [
    byAddress("second_factor_address"),
    limit("confirmation", (request) => cookies.challengeOf(request)),
  ];
  return {
    "auth/sign-up/email": {
      allow: "anyone",
      limits: ({ byAddress }) => [byAddress("sign_up_address")],
      // Exactly the same, whether or not the address is taken.
      toResponse: () => ({ status: true }),
    },
    "auth/sign-in/email": { allow: "anyone", limits: attemptsBy(cookies), after: signedIn },
    "auth/two-factor/verify-totp": {
      allow: "anyone",
      limits: secondFactor,
      around: (deps, request, { locals }, call) => withCode(deps, { request, code: locals.fields.code }, call),
    },
    "auth/two-factor/verify-backup-code": { allow: "anyone", limits: secondFactor },
    "auth/sign-out": { allow: "anyone" },
    "auth/revoke-session": { allow: "signed in" },
    "auth/revoke-other-sessions": { allow: "signed in" },
    "auth/revoke-sessions": { allow: "signed in" },
    "auth/change-password": {
      allow: "signed in",
      always: { revokeOtherSessions: true },
      limits: confirmations,
      after: passwordChanged,
    },
    "auth/two-factor/enable": { allow: "signed in", always: { method: "totp" }, limits: confirmations },
    "auth/two-factor/disable": { allow: "recently authenticated", limits: confirmations },
    "auth/two-factor/generate-backup-codes": { allow: "recently authenticated", limits: confirmations },
  };
}

/** Sign-in attempts count against the IP address, and against the browser if it has signed in to the account before, else the account. */
function attemptsBy(cookies: Cookies): Route["limits"] {
  return ({ limit, byAddress }) => {
    const account = limit("sign_in_account", (_request, { locals }) => accountKey(locals.fields.email));
    const device = limit(
      "sign_in_device",
      (request, { locals }) => cookies.deviceOf(request, locals.fields.email) ?? "",
    );
    const either: RequestHandler = (request, response, next) =>
      (cookies.deviceOf(request, response.locals.fields.email) ? device : account)(request, response, next);
    return [byAddress("sign_in_address"), either];
  };
}

function identify({ allow }: Route, { sessions }: Deps): RequestHandler {
  return async (request, response, next) => {
    if (allow !== "anyone") {
      const session = await sessions.signedIn(request);
      if (allow === "recently authenticated") assertRecentlyAuthenticated(session);
      response.locals.userId = session.user_id;
      response.locals.recentlyAuthenticatedUntil = session.recently_authenticated_until;
    }
    next();
  };
}

function respond(path: string, route: Route, deps: Deps): RequestHandler {
  return async (request, response) => {
    const fields = request.method === "POST" ? { ...response.locals.fields, ...route.always } : undefined;
    const call = () => relay(deps, { request, response, path: path.replace(/^auth/, ""), fields });
    const answer = await (route.around ? route.around(deps, request, response, call) : call());
    await route.after?.(deps, request, response, answer);
    response.json((route.toResponse ?? withoutToken)(answer));
  };
}

/** The password was right: resets the attempts, remembers the browser, and ends its previous session. */
async function signedIn({ pool, cookies }: Deps, request: Request, response: Response): Promise<void> {
  const { email } = response.locals.fields;
  const device = cookies.deviceOf(request, email);
  await forgiveAttempts(pool, [
    `sign_in_account:${accountKey(email)}`,
    ...(device ? [`sign_in_device:${device}`] : []),
  ]);
  const { name, value, options } = cookies.newDevice(email);
  response.cookie(name, value, options);
  const previous = cookies.sessionToken(request);
  if (previous) await endSession(pool, previous);
}

const NewSession = z.object({ token: z.string() });

/**
 * A changed password ends every session and starts a new one. For a user with a second factor the password alone is not
 * enough: the new session counts as recently authenticated only as long as the previous one did. The browser gets its cookie
 * once this is stored.
 */
async function passwordChanged(
  { pool }: Deps,
  _request: Request,
  { locals }: Response,
  answer: unknown,
): Promise<void> {
  await carryOverAuthentication(pool, NewSession.parse(answer).token, locals.recentlyAuthenticatedUntil);
}

/** The counts do not contain the address itself. */
const accountKey = (email: string) => sha256(email).toString("base64url");

const WithToken = z.looseObject({ token: z.unknown() });

function withoutToken(answer: unknown): unknown {
  const parsed = WithToken.safeParse(answer);
  if (!parsed.success) return answer;
  const { token: _, ...rest } = parsed.data;
  return rest;
}

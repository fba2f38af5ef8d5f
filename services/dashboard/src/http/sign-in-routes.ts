import type { Pool } from "@collect/database";
import { type HttpApp, onlyMethods, readBody, setActor } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import type { Auth } from "../adapters/auth.ts";
import { PERSON_ACTS, type PERSON_READS } from "../calls/person.ts";
import type { Config } from "../config.ts";
import { relay } from "./better-auth.ts";
import type { Cookies } from "./cookies.ts";
import { readFields } from "./fields.ts";
import { withCode } from "./one-time-codes.ts";
import { assertStrong, personalWordsOf } from "./passwords.ts";
import type { RateLimits } from "./rate-limits.ts";
import {
  asActor,
  assertMayChangeFactors,
  assertMayEnrol,
  assertRecentlyAuthenticated,
  type Sessions,
} from "./sessions.ts";
import { audited, SIGN_IN, type UserAct } from "./sign-in-audit.ts";
import {
  accountKey,
  factorAdded,
  forgetEnded,
  passwordAccepted,
  passwordChanged,
  refuseForeignAuthenticator,
  secondFactorGiven,
  tellKnownUser,
} from "./sign-in-steps.ts";

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
  /** Whether it changes second factors; `adds`: sets one up. */
  changesFactors?: true | "adds";
  /** Refuses what better-auth would accept. */
  before?: (deps: Deps, request: Request, response: Response) => Promise<void>;
  /** Wraps the call of better-auth. */
  around?: (deps: Deps, request: Request, response: Response, call: () => Promise<unknown>) => Promise<unknown>;
  /** How the audit log calls it. */
  audit?: UserAct;
  after?: (deps: Deps, request: Request, response: Response, answer: unknown) => Promise<void>;
};

type Deps = { auth: Auth; config: Config; pool: Pool; cookies: Cookies; sessions: Sessions; limits: RateLimits };

type Below<Table> = Extract<keyof Table, `auth/${string}`>;

/** The reachable endpoints of better-auth; every other one is 404. */
export function signInRoutes(deps: Deps): (app: HttpApp) => void {
  return (app) => {
    for (const [path, route] of Object.entries(READS)) {
      const limits = route.limits?.(deps.limits) ?? [];
      app.get(`/api/${path}`, identify(route, deps), ...limits, respond(path, route, deps));
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
  "auth/passkey/list-user-passkeys": { allow: "signed in", toResponse: (answer) => z.array(PasskeyRow).parse(answer) },
  "auth/passkey/generate-register-options": { allow: "recently authenticated", changesFactors: "adds" },
  "auth/passkey/generate-authenticate-options": {
    allow: "anyone",
    limits: ({ byAddress }) => [byAddress("passkey_address")],
    toResponse: (answer) => ({ ...z.looseObject({}).parse(answer), userVerification: "required" }),
  },
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
      before: async (_deps, _request, { locals: { fields } }) =>
        assertStrong(fields.password, { param: "password", personal: [fields.name, fields.email] }),
      around: tellKnownUser,
      // Exactly the same, whether or not the address is taken.
      toResponse: () => ({ status: true }),
    },
    "auth/sign-in/email": { allow: "anyone", limits: attemptsBy(cookies), audit: SIGN_IN, after: passwordAccepted },
    "auth/two-factor/verify-totp": {
      allow: "anyone",
      limits: secondFactor,
      before: refuseForeignAuthenticator,
      audit: { ...SIGN_IN, confirmed: "second_factor.enabled" },
      around: (deps, request, { locals }, call) => withCode(deps, { request, code: locals.fields.code }, call),
      after: secondFactorGiven,
    },
    "auth/two-factor/verify-backup-code": {
      allow: "anyone",
      limits: secondFactor,
      before: refuseForeignAuthenticator,
      audit: SIGN_IN,
      after: secondFactorGiven,
    },
    ...passkeyActs(confirmations),
    "auth/sign-out": { allow: "anyone" },
    "auth/revoke-session": { allow: "signed in", audit: { done: "session.ended" } },
    "auth/revoke-other-sessions": { allow: "signed in", audit: { done: "sessions.ended" } },
    "auth/revoke-sessions": { allow: "signed in", audit: { done: "sessions.ended" } },
    "auth/change-password": {
      allow: "signed in",
      always: { revokeOtherSessions: true },
      limits: confirmations,
      before: async ({ pool }, _request, { locals: { fields, session } }) =>
        assertStrong(fields.newPassword, { param: "newPassword", personal: await personalWordsOf(pool, session) }),
      audit: { done: "password.changed", refused: "password.change_failed" },
      after: passwordChanged,
    },
    ...twoFactorActs(confirmations),
  };
}

function twoFactorActs(confirmations: NonNullable<Route["limits"]>) {
  return {
    "auth/two-factor/enable": {
      allow: "signed in",
      changesFactors: "adds",
      always: { method: "totp" },
      limits: confirmations,
      audit: { done: "second_factor.set_up" },
    },
    "auth/two-factor/disable": {
      allow: "recently authenticated",
      changesFactors: true,
      limits: confirmations,
      audit: { done: "second_factor.disabled" },
    },
    "auth/two-factor/generate-backup-codes": {
      allow: "recently authenticated",
      changesFactors: true,
      limits: confirmations,
      audit: { done: "backup_codes.made" },
    },
  } satisfies Partial<Record<Below<typeof PERSON_ACTS>, Route>>;
}

function passkeyActs(confirmations: NonNullable<Route["limits"]>) {
  return {
    "auth/passkey/verify-authentication": {
      allow: "anyone",
      limits: ({ byAddress }: RateLimits) => [byAddress("passkey_address")],
      audit: SIGN_IN,
      after: secondFactorGiven,
      toResponse: () => ({}),
    },
    "auth/passkey/verify-registration": {
      allow: "recently authenticated",
      changesFactors: "adds",
      limits: confirmations,
      audit: { done: "passkey.added" },
      after: factorAdded,
      toResponse: (answer: unknown) => PasskeyRow.parse(answer),
    },
    "auth/passkey/update-passkey": { allow: "recently authenticated", changesFactors: true, toResponse: () => ({}) },
    "auth/passkey/delete-passkey": {
      allow: "recently authenticated",
      changesFactors: true,
      audit: { done: "passkey.removed" },
    },
  } satisfies Partial<Record<Below<typeof PERSON_ACTS>, Route>>;
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

function identify({ allow, changesFactors }: Route, deps: Deps): RequestHandler {
  return async (request, response, next) => {
    if (allow === "anyone") await forgetEnded(deps, request);
    else {
      const session = await deps.sessions.signedIn(request);
      if (allow === "recently authenticated") assertRecentlyAuthenticated(session);
      if (changesFactors) assertMayChangeFactors(session);
      if (changesFactors === "adds") await assertMayEnrol(deps.pool, session);
      Object.assign(response.locals, { session, userId: session.user_id });
      setActor(response, asActor(session));
    }
    next();
  };
}

function respond(path: string, route: Route, deps: Deps): RequestHandler {
  return async (request, response) => {
    const fields = request.method === "POST" ? { ...response.locals.fields, ...route.always } : undefined;
    await route.before?.(deps, request, response);
    const call = () => relay(deps, { request, response, path: path.replace(/^auth/, ""), fields });
    const perform = () => (route.around ? route.around(deps, request, response, call) : call());
    const answer = await audited(route.audit, deps, request, response, perform);
    await route.after?.(deps, request, response, answer);
    response.json((route.toResponse ?? withoutToken)(answer));
  };
}

/** Without the public key and what else the page has no use for. */
const PasskeyRow = z.object({ id: z.string(), name: z.string().nullish(), createdAt: z.string().nullish() });

const WithToken = z.looseObject({ token: z.unknown() });

function withoutToken(answer: unknown): unknown {
  const parsed = WithToken.safeParse(answer);
  if (!parsed.success) return answer;
  const { token: _, ...rest } = parsed.data;
  return rest;
}

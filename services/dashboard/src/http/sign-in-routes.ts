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

/** One endpoint of better-auth that can be reached, with the declared fields. */
type Door = {
  /** Who may call. */
  allow: "anyone" | "signed in" | "recently authenticated";
  /** Fields that are the same on every call. */
  always?: object;
  /** What is answered instead of what better-auth says. */
  toResponse?: (answer: unknown) => unknown;
  limits?: (limits: RateLimits) => RequestHandler[];
  /** Stands around the call of better-auth. */
  around?: (deps: Deps, request: Request, response: Response, call: () => Promise<unknown>) => Promise<unknown>;
  after?: (deps: Deps, request: Request, response: Response, answer: unknown) => Promise<void>;
};

type Deps = { auth: Auth; pool: Pool; cookies: Cookies; sessions: Sessions; limits: RateLimits };

type Below<Table> = Extract<keyof Table, `auth/${string}`>;

/** The endpoints of better-auth that can be reached; every other one answers 404. */
export function signInRoutes(deps: Deps): (app: HttpApp) => void {
  return (app) => {
    for (const [path, door] of Object.entries(READS)) {
      app.get(`/api/${path}`, identify(door, deps), respond(path, door, deps));
      app.all(`/api/${path}`, onlyMethods("GET"));
    }
    const doors: Record<string, Door> = acts(deps);
    for (const [path, { input }] of Object.entries(PERSON_ACTS)) {
      const door = doors[path];
      if (!door) continue;
      const body = [...readBody({ maxBytes: BODY_BYTES_MAX }), readFields(input)];
      const limits = door.limits?.(deps.limits) ?? [];
      app.post(`/api/${path}`, identify(door, deps), ...body, ...limits, respond(path, door, deps));
      app.all(`/api/${path}`, onlyMethods("POST"));
    }
  };
}

/** Its session token stays in the cookie: a response does not carry it as well. */
const READS: { [Path in Below<typeof PERSON_READS>]: Door } = {
  // Without its signature a token opens nothing; it names the session that is to be revoked.
  "auth/list-sessions": { allow: "signed in", toResponse: (answer) => answer },
};

function acts({ cookies }: Deps): { [Path in Below<typeof PERSON_ACTS>]: Door } {
  const confirmations = ({ limit }: RateLimits) => [
    limit("confirmation", (_request, response) => response.locals.userId),
  ];
  // A person who is signed in already has no use for many codes, but a stolen session would: to be confirmed by one of them.
  const secondFactor = ({ byAddress, limit }: RateLimits) => [
    byAddress("second_factor_address"),
    limit("confirmation", (request) => cookies.challengeOf(request)),
  ];
  return {
    "auth/sign-up/email": {
      allow: "anyone",
      limits: ({ byAddress }) => [byAddress("sign_up_address")],
      // To the letter the same, whether or not the address is taken.
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

/** Attempts to sign in count for the address, and for the browser that was in the account before or else for the account. */
function attemptsBy(cookies: Cookies): Door["limits"] {
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

function identify({ allow }: Door, { sessions }: Deps): RequestHandler {
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

function respond(path: string, door: Door, deps: Deps): RequestHandler {
  return async (request, response) => {
    const fields = request.method === "POST" ? { ...response.locals.fields, ...door.always } : undefined;
    const call = () => relay(deps, { request, response, path: path.replace(/^auth/, ""), fields });
    const answer = await (door.around ? door.around(deps, request, response, call) : call());
    await door.after?.(deps, request, response, answer);
    response.json((door.toResponse ?? withoutToken)(answer));
  };
}

/** The password was right: its attempts are forgiven, the browser is known from now on, and the session it had is over. */
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
 * A changed password ends every session and begins one. With a second factor the password alone proves too little: the new
 * session counts as authenticated when the one before was. The browser gets its cookie once this is written.
 */
async function passwordChanged(
  { pool }: Deps,
  _request: Request,
  { locals }: Response,
  answer: unknown,
): Promise<void> {
  await carryOverAuthentication(pool, NewSession.parse(answer).token, locals.recentlyAuthenticatedUntil);
}

/** The address itself is not kept among the counts. */
const accountKey = (email: string) => sha256(email).toString("base64url");

const WithToken = z.looseObject({ token: z.unknown() });

function withoutToken(answer: unknown): unknown {
  const parsed = WithToken.safeParse(answer);
  if (!parsed.success) return answer;
  const { token: _, ...rest } = parsed.data;
  return rest;
}

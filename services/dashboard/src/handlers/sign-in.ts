import { fieldErrors, invalidFields, Name } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type HttpApp, onlyMethods, readBody } from "@collect/http";
import type { Request, RequestHandler, Response } from "express";
import { z } from "zod";
import { AUTH_PATH, type Auth, PASSWORD_LENGTH } from "../adapters/auth.ts";
import { sha256 } from "../domain/token.ts";
import { forgiveAttempts } from "../store/limits.ts";
import { endSession, keepFreshness } from "../store/visitors.ts";
import { withCode } from "./codes.ts";
import type { Cookies } from "./cookies.ts";
import type { Limits } from "./limits.ts";
import { relay } from "./relay.ts";
import { assertFresh, type Visitors } from "./visitors.ts";

const BODY_BYTES_MAX = 8 * 1024;

const { min, max } = PASSWORD_LENGTH;
const NewPassword = z
  .string()
  .min(min, `must be at least ${min} characters`)
  .max(max, `must be at most ${max} characters`);
const Password = z.string().min(1, "must not be empty").max(max, `must be at most ${max} characters`);
const Code = z
  .string()
  .trim()
  .transform((code) => code.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^[0-9A-Za-z-]{6,20}$/, "must be a code"));
const Token = z.string().min(1).max(100);
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address"));

/** What of better-auth can be reached, with the fields that are handed on. Everything else it serves is not there. */
type Door = {
  method: "GET" | "POST";
  path: `/${string}`;
  fields?: z.ZodObject;
  /** Fields that are the same on every call. */
  always?: object;
  /** What is answered instead of what better-auth says. */
  says?: (answer: unknown) => unknown;
  /** Who may call: anybody, somebody signed in, or somebody who has just proven it. */
  who: "anybody" | "signed in" | "fresh";
  limits?: (limits: Limits) => RequestHandler[];
  /** Stands around the call of better-auth. */
  around?: (deps: Deps, request: Request, response: Response, call: () => Promise<unknown>) => Promise<unknown>;
  after?: (deps: Deps, request: Request, response: Response, answer: unknown) => Promise<void>;
};

type Deps = { auth: Auth; pool: Pool; cookies: Cookies; visitors: Visitors; limits: Limits };

const SignIn = z.object({ email: Email, password: Password, rememberMe: z.boolean().optional() });

function doors(deps: Deps): Door[] {
  const { cookies } = deps;
  const confirmations = ({ limit }: Limits) => [limit("confirmation", (_request, response) => response.locals.userId)];
  // Whoever is signed in already has no use for many codes, but a stolen session would: to be confirmed by one of them.
  const secondFactor = ({ byAddress, limit }: Limits) => [
    byAddress("second_factor_address"),
    limit("confirmation", (request) => cookies.challengeOf(request)),
  ];
  const attempts = ({ limit, byAddress }: Limits) => {
    const account = limit("sign_in_account", (_request, { locals }) => accountKey(locals.fields.email));
    const device = limit(
      "sign_in_device",
      (request, { locals }) => cookies.deviceOf(request, locals.fields.email) ?? "",
    );
    const either: RequestHandler = (request, response, next) =>
      (cookies.deviceOf(request, response.locals.fields.email) ? device : account)(request, response, next);
    return [byAddress("sign_in_address"), either];
  };
  return [
    {
      method: "POST",
      path: "/sign-up/email",
      fields: z.object({ name: Name, email: Email, password: NewPassword }),
      who: "anybody",
      limits: ({ byAddress }) => [byAddress("sign_up_address")],
      // To the letter the same, whether or not somebody has the address.
      says: () => ({ status: true }),
    },
    { method: "POST", path: "/sign-in/email", fields: SignIn, who: "anybody", limits: attempts, after: signedIn },
    {
      method: "POST",
      path: "/two-factor/verify-totp",
      fields: z.object({ code: Code }),
      who: "anybody",
      limits: secondFactor,
      around: (deps, request, { locals }, call) => withCode(deps, { request, code: locals.fields.code }, call),
    },
    {
      method: "POST",
      path: "/two-factor/verify-backup-code",
      fields: z.object({ code: Code }),
      who: "anybody",
      limits: secondFactor,
    },
    { method: "POST", path: "/sign-out", fields: z.object({}), who: "anybody" },
    // Without its signature a token opens nothing; it names the session that is to be revoked.
    { method: "GET", path: "/list-sessions", who: "signed in", says: (answer) => answer },
    { method: "POST", path: "/revoke-session", fields: z.object({ token: Token }), who: "signed in" },
    { method: "POST", path: "/revoke-other-sessions", fields: z.object({}), who: "signed in" },
    { method: "POST", path: "/revoke-sessions", fields: z.object({}), who: "signed in" },
    {
      method: "POST",
      path: "/change-password",
      fields: z.object({ currentPassword: Password, newPassword: NewPassword }),
      always: { revokeOtherSessions: true },
      who: "signed in",
      limits: confirmations,
      after: passwordChanged,
    },
    {
      method: "POST",
      path: "/two-factor/enable",
      fields: z.object({ password: Password }),
      always: { method: "totp" },
      who: "signed in",
      limits: confirmations,
    },
    {
      method: "POST",
      path: "/two-factor/disable",
      fields: z.object({ password: Password }),
      who: "fresh",
      limits: confirmations,
    },
    {
      method: "POST",
      path: "/two-factor/generate-backup-codes",
      fields: z.object({ password: Password }),
      who: "fresh",
      limits: confirmations,
    },
  ];
}

/** The doors of better-auth that are open. Its session token stays in the cookie: an answer does not carry it as well. */
export function signInRoutes(deps: Deps): (app: HttpApp) => void {
  const { visitors } = deps;
  return (app) => {
    for (const door of doors(deps)) {
      const path = `${AUTH_PATH}${door.path}`;
      const identify: RequestHandler = async (request, response, next) => {
        if (door.who !== "anybody") {
          const visitor = await visitors.signedIn(request);
          if (door.who === "fresh") assertFresh(visitor);
          response.locals.userId = visitor.user_id;
          response.locals.freshUntil = visitor.fresh_until;
        }
        next();
      };
      const call: RequestHandler = async (request, response) => {
        const fields = door.fields && { ...response.locals.fields, ...door.always };
        const ask = () => relay(deps, { request, response, path: door.path, fields });
        const answer = await (door.around ? door.around(deps, request, response, ask) : ask());
        await door.after?.(deps, request, response, answer);
        response.json((door.says ?? withoutToken)(answer));
      };
      const body = door.fields ? [...readBody({ maxBytes: BODY_BYTES_MAX }), readFields(door.fields)] : [];
      const steps = [identify, ...body, ...(door.limits?.(deps.limits) ?? []), call];
      if (door.method === "GET") app.get(path, ...steps);
      else app.post(path, ...steps);
      app.all(path, onlyMethods(door.method));
    }
  };
}

/** Checks the fields of a body and leaves them, as they are meant, in `response.locals.fields`. */
export function readFields(schema: z.ZodObject): RequestHandler {
  return (request, response, next) => {
    const fields = schema.safeParse(request.body);
    if (!fields.success) throw invalidFields(fieldErrors(fields.error));
    response.locals.fields = fields.data;
    next();
  };
}

/** The password was right: what was counted is forgotten, the browser is known from now on, and the session it had is over. */
async function signedIn({ pool, cookies }: Deps, request: Request, response: Response): Promise<void> {
  const { email } = response.locals.fields;
  const device = cookies.deviceOf(request, email);
  await forgiveAttempts(pool, [
    `sign_in_account:${accountKey(email)}`,
    ...(device ? [`sign_in_device:${device}`] : []),
  ]);
  const { name, value, options } = cookies.newDevice(email);
  response.cookie(name, value, options);
  const before = cookies.sessionToken(request);
  if (before) await endSession(pool, before);
}

const NewSession = z.object({ token: Token });

/**
 * A changed password ends every session and begins one. Whoever has a second factor has proven no more by the password than
 * that they know it: the new session is as fresh as the one before. Nobody has its cookie until this is written.
 */
async function passwordChanged(
  { pool }: Deps,
  _request: Request,
  { locals }: Response,
  answer: unknown,
): Promise<void> {
  await keepFreshness(pool, NewSession.parse(answer).token, locals.freshUntil);
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

import { randomBytes } from "node:crypto";
import type { Bus } from "@collect/bus";
import { Name, Problem, readMerchants, registerMerchant } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type HttpApp, onlyMethods, readBody, requestIdOf } from "@collect/http";
import type { Logger } from "@collect/runtime";
import type { RequestHandler } from "express";
import { z } from "zod";
import { type Auth, PASSWORD_LENGTH } from "../adapters/auth.ts";
import type { Config } from "../config.ts";
import { newMerchantId } from "../domain/merchant-id.ts";
import { isToken, sha256 } from "../domain/token.ts";
import { beginBusiness, finishBusiness, noteVerified } from "../store/businesses.ts";
import { takeLink } from "../store/sign-in-links.ts";
import { confirmSession, endSession, listMemberships, type Membership } from "../store/visitors.ts";
import { withCode } from "./codes.ts";
import type { Cookies } from "./cookies.ts";
import { acceptInvitation } from "./invitations.ts";
import type { Limits } from "./limits.ts";
import { answerOf, headersOf, passing, relay } from "./relay.ts";
import { readFields } from "./sign-in.ts";
import { assertFresh, type SignedIn, type Visitors } from "./visitors.ts";

type Deps = {
  auth: Auth;
  bus: Bus;
  config: Config;
  cookies: Cookies;
  limits: Limits;
  log: Logger;
  pool: Pool;
  visitors: Visitors;
};

const { min, max } = PASSWORD_LENGTH;
const Confirmation = z.object({ password: z.string().max(max).optional(), code: z.string().max(20).optional() });
const NewPassword = z.object({
  new_password: z.string().min(min, `must be at least ${min} characters`).max(max, `must be at most ${max} characters`),
});

/** What concerns the person and not one merchant. */
export function accountRoutes(deps: Deps): (app: HttpApp) => void {
  const { limits, visitors } = deps;
  const body = readBody({ maxBytes: 8 * 1024 });
  /** Signed in first: whoever is not learns nothing about fields. */
  const identify: RequestHandler = async (request, response, next) => {
    response.locals.visitor = await visitors.signedIn(request);
    response.locals.userId = response.locals.visitor.user_id;
    next();
  };
  const confirmations = limits.limit("confirmation", (_request, response) => response.locals.userId);
  return (app) => {
    app.get("/api/me", showMe(deps));
    app.all("/api/me", onlyMethods("GET"));
    const post = (path: string, schema: z.ZodObject, ...steps: RequestHandler[]) => {
      const call = steps.pop();
      if (call) app.post(path, ...steps, ...body, readFields(schema), call);
      app.all(path, onlyMethods("POST"));
    };
    post("/api/reauthenticate", Confirmation, identify, confirmations, reauthenticate(deps));
    post("/api/password", NewPassword, identify, confirmations, setPassword(deps));
    const businesses = limits.limit("businesses_user", (_request, response) => response.locals.userId);
    post("/api/merchants", z.object({ name: Name }), identify, businesses, makeBusiness(deps));
    const Token = z.object({ token: z.string().max(200) });
    post("/api/sign-in-link", Token, limits.byAddress("token_address"), signInByLink(deps));
    post("/api/invitations/accept", Token, identify, limits.byAddress("token_address"), async (_request, response) => {
      const { visitor, fields } = response.locals;
      response.json(await acceptInvitation(deps.pool, visitor, fields.token, requestIdOf(response)));
    });
  };
}

const SessionAnswer = z.object({ session: z.object({ id: z.string() }) }).nullable();

const isNobody = (problem: unknown) => problem instanceof Problem && problem.code === "sign_in_required";

/** Through better-auth, which prolongs a session that is in use. `?optional=true`: null when nobody is signed in, which is no error of a page's. */
function showMe({ auth, bus, config, cookies, pool, visitors, log }: Deps): RequestHandler {
  return async (request, response) => {
    const visitor = await visitors.signedIn(request).catch((problem) => {
      if (request.query.optional === "true" && isNobody(problem)) return null;
      throw problem;
    });
    if (!visitor) return void response.json(null);
    SessionAnswer.parse(await relay({ auth, cookies }, { request, response, path: "/get-session" }));
    const memberships = await listMemberships(pool, visitor.user_id);
    const merchants = await asTheGatewayKnowsThem(memberships, { bus, pool, log, requestId: requestIdOf(response) });
    const { user_id: id, name, email, two_factor_enabled, has_password, session_id, fresh_until } = visitor;
    response.json({
      user: { id, name, email, two_factor_enabled, has_password },
      session: { id: session_id, fresh_until },
      merchants,
      urls: { api: config.API_URL, checkout: config.CHECKOUT_URL },
    });
  };
}

/** While the gateway is away, what it said last is good enough to find one's way. */
async function asTheGatewayKnowsThem(
  memberships: Membership[],
  { bus, pool, log, requestId }: { bus: Bus; pool: Pool; log: Logger; requestId: string },
): Promise<Membership[]> {
  if (memberships.length === 0) return memberships;
  const merchant_ids = memberships.slice(0, 100).map(({ merchant_id }) => merchant_id);
  const told = await bus.request(readMerchants, { merchant_ids }, requestId).catch((error) => {
    log.warn({ request_id: requestId, err: error }, "the gateway does not say who is verified");
    return { merchants: [] };
  });
  if (told.merchants.length > 0) await noteVerified(pool, told.merchants);
  const byId = new Map(told.merchants.map((merchant) => [merchant.merchant_id, merchant]));
  return memberships.map((membership) => ({ ...membership, ...byId.get(membership.merchant_id) }));
}

/** With a second factor its code is asked for, which somebody who only knows the password does not have; without, the password. */
function reauthenticate({ auth, cookies, pool }: Deps): RequestHandler {
  return async (request, response) => {
    const visitor: SignedIn = response.locals.visitor;
    const { password, code } = response.locals.fields;
    if (visitor.two_factor_enabled) {
      if (!code) throw missing("code", "the code of your authenticator");
      const fields = { code: code.replaceAll(/\s/g, "") };
      await withCode({ pool, cookies }, { request, ...fields }, () =>
        relay({ auth, cookies }, { request, response, path: "/two-factor/verify-totp", fields }),
      );
    } else {
      if (!visitor.has_password)
        throw new Problem("conflict", "You have no password yet. Set one, or sign in with a new link.");
      if (!password) throw missing("password", "your password");
      const answer = await auth.api
        .verifyPassword({ body: { password }, headers: headersOf(request, cookies), asResponse: true })
        .catch(passing);
      await answerOf(answer, response);
    }
    const fresh_until = await confirmSession(pool, visitor.session_id);
    if (!fresh_until) throw new Problem("sign_in_required", "Sign in first.");
    response.json({ fresh_until });
  };
}

const missing = (param: string, what: string) =>
  new Problem("validation_failed", `Give ${what}.`, { errors: [{ param, code: "required", message: "is required" }] });

/** For whoever came by a link and has no password yet. */
function setPassword({ auth, cookies }: Deps): RequestHandler {
  return async (request, response) => {
    assertFresh(response.locals.visitor);
    const { new_password: newPassword } = response.locals.fields;
    const answer = await auth.api
      .setPassword({ body: { newPassword }, headers: headersOf(request, cookies), asResponse: true })
      .catch(passing);
    await answerOf(answer, response);
    response.json({ status: true });
  };
}

/** The id is committed before the gateway is asked, so that whatever breaks off can be asked again under the same one. */
function makeBusiness({ bus, pool }: Deps): RequestHandler {
  return async (_request, response) => {
    const { user_id: founderId }: SignedIn = response.locals.visitor;
    const { name } = response.locals.fields;
    const business = await beginBusiness(pool, { id: newMerchantId(randomBytes(16)), name, founderId });
    if (!business.registered) {
      await bus.request(registerMerchant, { merchant_id: business.id, name: business.name }, requestIdOf(response));
      await finishBusiness(pool, business.id);
    }
    response.json({ merchant_id: business.id, name: business.name });
  };
}

/** A link is used up by this call alone: opening its page, which a preview may do, changes nothing. */
function signInByLink({ auth, cookies, pool }: Deps): RequestHandler {
  return async (request, response) => {
    const { token } = response.locals.fields;
    const userId = isToken(token) && (await takeLink(pool, { hash: sha256(token), requestId: requestIdOf(response) }));
    if (!userId) throw new Problem("not_found", "This link has been used or has expired. Request a new one.");
    const before = cookies.sessionToken(request);
    if (before) await endSession(pool, before);
    const answer = await auth.api
      .signInByLink({ body: { userId }, headers: headersOf(request, cookies), asResponse: true })
      .catch(passing);
    response.json(await answerOf(answer, response));
  };
}

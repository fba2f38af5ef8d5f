import type { Bus } from "@collect/bus";
import { Problem, type RequestContext, readMerchants } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Request, Response } from "express";
import type { z } from "zod";
import type { Auth } from "../adapters/auth.ts";
import type { PERSON_ACTS } from "../calls/person.ts";
import type { Config } from "../config.ts";
import { permissionsOf } from "../domain/role.ts";
import { answerOf, headersOf, relay, withOutages } from "../http/better-auth.ts";
import { clientOf } from "../http/client.ts";
import type { Cookies } from "../http/cookies.ts";
import { withCode } from "../http/one-time-codes.ts";
import { assertStrong, personalWordsOf } from "../http/passwords.ts";
import { assertRecentlyAuthenticated, type Sessions, type SignedIn } from "../http/sessions.ts";
import { noteActOfUser } from "../store/audit.ts";
import { noteVerified } from "../store/businesses.ts";
import { placeNotices } from "../store/notices.ts";
import { confirmSession, listMemberships, type Membership } from "../store/sessions.ts";

export type PersonDeps = {
  auth: Auth;
  bus: Bus;
  config: Config;
  cookies: Cookies;
  log: Logger;
  pool: Pool;
  sessions: Sessions;
};

/** A call of a signed-in user. */
export type PersonCall<Path extends keyof typeof PERSON_ACTS> = {
  input: z.output<(typeof PERSON_ACTS)[Path]["input"]>;
  session: SignedIn;
  request: Request;
  response: Response;
  context: RequestContext;
};

const isSignedOut = (problem: unknown) => problem instanceof Problem && problem.code === "sign_in_required";

export async function showMe(
  { bus, config, pool, sessions, log }: PersonDeps,
  { request, context }: { request: Request; context: RequestContext },
) {
  const session = await sessions.signedIn(request).catch((problem) => {
    // A browser without a session is not an error; one whose session has ended is told why.
    if (request.query.optional === "true" && isSignedOut(problem)) return null;
    throw problem;
  });
  if (!session) return null;
  const memberships = await listMemberships(pool, session.user_id);
  const known = await asTheGatewayKnowsThem(memberships, { bus, pool, log, context });
  const merchants = known.map((membership) => ({ ...membership, permissions: permissionsOf(membership.role) }));
  const { user_id: id, name, email, two_factor_enabled, has_password, has_passkey, is_confirmed } = session;
  const { session_id, recently_authenticated_until, second_factor } = session;
  return {
    user: { id, name, email, two_factor_enabled, has_password, has_passkey, is_confirmed },
    session: { id: session_id, recently_authenticated_until, second_factor },
    merchants,
    rules: {
      sends_mail: config.SMTP_URL !== undefined,
      live_second_factor: config.LIVE_SECOND_FACTOR === "required",
      test_receiver: config.TEST_RECEIVER_URL !== undefined,
    },
    urls: { api: config.API_URL, checkout: config.CHECKOUT_URL },
  };
}

/** Updated by the gateway; while it is unavailable, its last response is current enough for navigation. */
async function asTheGatewayKnowsThem(
  memberships: Membership[],
  { bus, pool, log, context }: { bus: Bus; pool: Pool; log: Logger; context: RequestContext },
): Promise<Membership[]> {
  if (memberships.length === 0) return memberships;
  const merchant_ids = memberships.slice(0, 100).map(({ merchant_id }) => merchant_id);
  const { merchants } = await bus.request(readMerchants, { merchant_ids }, context).catch((error) => {
    log.warn({ request_id: context.requestId, err: error }, "the gateway does not say who is verified");
    return { merchants: [] };
  });
  if (merchants.length > 0) await noteVerified(pool, merchants);
  const byId = new Map(merchants.map((merchant) => [merchant.merchant_id, merchant]));
  return memberships.map((membership) => ({ ...membership, ...byId.get(membership.merchant_id) }));
}

/**
 * Requires the code if the user has a second factor, because the password alone may have been stolen; otherwise the password. A
 * user whose only second factor is a passkey signs in with it again instead.
 */
export async function reauthenticate(
  { auth, cookies, pool }: PersonDeps,
  { input, session, request, response }: PersonCall<"reauthenticate">,
) {
  const { password, code } = input;
  if (session.two_factor_enabled) {
    if (!code) throw missing("code", "the code from your authenticator app");
    const fields = { code: code.replaceAll(/\s/g, "") };
    await withCode({ pool, cookies }, { request, ...fields }, () =>
      relay({ auth, cookies }, { request, response, path: "/two-factor/verify-totp", fields }),
    );
  } else {
    if (session.has_passkey) throw new Problem("second_factor_required", "Confirm with your passkey.");
    if (!session.has_password)
      throw new Problem(
        "conflict",
        "You have no password yet. Set one on the Security page, or sign in with a new link.",
      );
    if (!password) throw missing("password", "your password");
    await assertPassword({ auth, cookies }, { password, request, response });
  }
  const recently_authenticated_until = await confirmSession(pool, session.session_id, session.two_factor_enabled);
  if (!recently_authenticated_until) throw new Problem("sign_in_required", "Sign in first.");
  return { recently_authenticated_until };
}

/** Refuses a wrong password of the signed-in user. */
export async function assertPassword(
  { auth, cookies }: Pick<PersonDeps, "auth" | "cookies">,
  { password, request, response }: { password: string; request: Request; response: Response },
): Promise<void> {
  const headers = headersOf(request, cookies);
  const verified = auth.api.verifyPassword({ body: { password }, headers, asResponse: true });
  await answerOf(await withOutages(verified), response);
}

const missing = (param: string, what: string) =>
  new Problem("validation_failed", `Enter ${what}.`, { errors: [{ param, code: "required", message: "is required" }] });

/** The first password of a user who signed in with a link. */
export async function setPassword(
  { auth, cookies, pool }: PersonDeps,
  { input, session, request, response, context }: PersonCall<"password">,
) {
  assertRecentlyAuthenticated(session);
  await assertStrong(input.new_password, { param: "new_password", personal: await personalWordsOf(pool, session) });
  const body = { newPassword: input.new_password };
  const set = auth.api.setPassword({ body, headers: headersOf(request, cookies), asResponse: true });
  await answerOf(await withOutages(set), response);
  const act = { action: "password.set", detail: {}, outcome: "done" as const, userId: session.user_id };
  await noteActOfUser(pool, { ...act, ...context });
  await placeNotices(pool, session.user_id, clientOf(request));
  return { status: true };
}

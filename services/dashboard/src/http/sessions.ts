import { type Actor, type MemberRole, type Mode, notFound, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request, RequestHandler } from "express";
import type { Config } from "../config.ts";
import { assertAllowed, type Permission } from "../domain/role.ts";
import { requiresSecondFactor } from "../domain/second-factor.ts";
import { isPermitted } from "../store/enrolments.ts";
import { findSession, type SessionLimits, type UserSession } from "../store/sessions.ts";
import type { Cookies } from "./cookies.ts";

/** A signed-in user with the session token. */
export type SignedIn = UserSession & { token: string };
/** A signed-in user who is a member of the requested merchant. */
export type Member = SignedIn & { role: MemberRole; merchant: { id: string; name: string; mode: Mode } };

export type Sessions = ReturnType<typeof createSessions>;

/** Sent by a page that refetches while it is idle: such a call does not keep the session alive. */
const UNATTENDED_HEADER = "x-unattended";

export const limitsOf = ({ SESSION_IDLE_MIN, SESSION_MAX_H }: Config): SessionLimits => ({
  idleMinutes: SESSION_IDLE_MIN,
  maxHours: SESSION_MAX_H,
});

export function createSessions({ pool, cookies, config }: { pool: Pool; cookies: Cookies; config: Config }) {
  const limits = limitsOf(config);

  async function signedIn(request: Request, merchantId: string | null = null): Promise<SignedIn> {
    const token = cookies.sessionToken(request);
    const isAttended = request.get(UNATTENDED_HEADER) === undefined && !request.path.endsWith("/live");
    const session = token && (await findSession(pool, { ...limits, token, merchantId, isAttended }));
    if (!token || !session) throw new Problem("sign_in_required", "Sign in first.");
    if (session.ended) throw new Problem("session_ended", whyEnded(session.ended, limits));
    return { ...session, token };
  }

  return {
    signedIn,

    /** `concernsLive`: whatever the mode is. A merchant of which the user is not a member gets the same response as one that does not exist. */
    async member(
      request: Request,
      merchant: { id: string; mode: Mode },
      { permission, concernsLive }: { permission: Permission; concernsLive: boolean },
    ): Promise<Member> {
      const session = await signedIn(request, merchant.id);
      const { role, merchant_name: name } = session;
      if (!role || !name) throw notFound();
      assertAllowed(role, permission);
      if (config.LIVE_SECOND_FACTOR === "required" && requiresSecondFactor({ role, concernsLive }))
        assertSecondFactor(session);
      return { ...session, role, merchant: { ...merchant, name } };
    },
  };
}

function whyEnded(ended: "idle" | "expired", { idleMinutes, maxHours }: SessionLimits): string {
  const after =
    ended === "idle"
      ? `you were inactive for ${idleMinutes >= 120 ? `${Math.round(idleMinutes / 60)} hours` : `${idleMinutes} minutes`}`
      : `a sign-in lasts ${maxHours >= 48 ? `${Math.round(maxHours / 24)} days` : `${maxHours} hours`}`;
  return `You were signed out because ${after}. Sign in again.`;
}
/** The signed-in user as the actor of the call. */
export const asActor = ({ user_id, email }: UserSession): Actor => ({ kind: "member", user_id, email });

/** A user without a second factor is asked to set one up, any other to give it. */
export function assertSecondFactor(session: Factors): void {
  if (session.second_factor) return;
  const detail = hasFactor(session)
    ? "Confirm with your second factor first."
    : "This needs a second factor: set up an authenticator app or a passkey on the Security page first.";
  throw new Problem("second_factor_required", detail);
}

type Factors = Pick<UserSession, "second_factor" | "two_factor_enabled" | "has_passkey">;

/** A user who has a second factor gives it before adding or removing one: the password alone may have been stolen. */
export function assertMayChangeFactors(session: Factors): void {
  if (hasFactor(session)) assertSecondFactor(session);
}

export const hasFactor = ({ two_factor_enabled, has_passkey }: Factors) => two_factor_enabled || has_passkey;

/** Setting up a second factor needs the password again and, for a first one, a mailed code: handlers/enrolment.ts. */
export async function assertMayEnrol(pool: Pool, { session_id }: Pick<UserSession, "session_id">): Promise<void> {
  if (await isPermitted(pool, session_id)) return;
  throw new Problem(
    "enrolment_required",
    "Confirm with your password first, and with the code we email you if this is your first second factor.",
  );
}

/** What leads to live money, and what is done in the name of an address, needs proof of it, where mail is sent at all. */
export function assertConfirmed({ is_confirmed, email }: Pick<UserSession, "is_confirmed" | "email">, config: Config) {
  if (config.SMTP_URL === undefined || is_confirmed) return;
  throw new Problem(
    "address_unconfirmed",
    `Confirm your email address first: open the link we sent to ${email}, or send it again.`,
  );
}

/** Sensitive actions require a password or a code within the last ten minutes. */
export function assertRecentlyAuthenticated({
  recently_authenticated_until,
}: Pick<UserSession, "recently_authenticated_until">): void {
  if (!recently_authenticated_until)
    throw new Problem("reauthentication_required", "Confirm that it's you, then try again.");
}

/**
 * Every write must come from one of the dashboard's own pages. Browsers send the origin of a call, which no page can forge; a
 * call without one is not from our pages.
 */
export function refuseOtherSites(appUrl: string): RequestHandler {
  return (request, _response, next) => {
    if (request.method === "GET" || request.method === "HEAD") return next();
    const origin = request.get("origin");
    const isOurs = origin === undefined ? request.get("sec-fetch-site") === "same-origin" : origin === appUrl;
    if (!isOurs) throw new Problem("role_required", "This request did not come from a page of the dashboard.");
    next();
  };
}

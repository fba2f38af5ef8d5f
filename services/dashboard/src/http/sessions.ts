import { type MemberRole, type Mode, notFound, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request, RequestHandler } from "express";
import { isAtLeast } from "../domain/role.ts";
import { findSession, type UserSession } from "../store/sessions.ts";
import type { Cookies } from "./cookies.ts";

/** A signed-in user with the session token. */
export type SignedIn = UserSession & { token: string };
/** A signed-in user who is a member of the requested merchant. */
export type Member = SignedIn & { role: MemberRole; merchant: { id: string; name: string; mode: Mode } };

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions({ pool, cookies }: { pool: Pool; cookies: Cookies }) {
  async function signedIn(request: Request, merchantId: string | null = null): Promise<SignedIn> {
    const token = cookies.sessionToken(request);
    const session = token && (await findSession(pool, token, merchantId));
    if (!token || !session) throw new Problem("sign_in_required", "Sign in first.");
    return { ...session, token };
  }

  return {
    signedIn,

    /** A merchant of which the user is not a member gets the same response as one that does not exist. */
    async member(request: Request, merchant: { id: string; mode: Mode }, least: MemberRole): Promise<Member> {
      const session = await signedIn(request, merchant.id);
      const { role, merchant_name: name } = session;
      if (!role || !name) throw notFound();
      assertRole(role, least);
      return { ...session, role, merchant: { ...merchant, name } };
    },
  };
}

const ALLOWED: Record<MemberRole, string> = {
  owner: "an owner",
  developer: "an owner or a developer",
  viewer: "a member",
};

export function assertRole(role: MemberRole, least: MemberRole): void {
  if (!isAtLeast(role, least)) throw new Problem("role_required", `Only ${ALLOWED[least]} may do that.`);
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

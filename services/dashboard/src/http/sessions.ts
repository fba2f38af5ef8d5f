import { type MemberRole, type Mode, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request, RequestHandler } from "express";
import { isAtLeast } from "../domain/role.ts";
import { findSession, type UserSession } from "../store/sessions.ts";
import type { Cookies } from "./cookies.ts";

/** A person who is signed in, and the token under which. */
export type SignedIn = UserSession & { token: string };
/** A person who belongs to the merchant they ask about. */
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

    /** A merchant that is not one's own is as unknown as one that there is not. */
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

export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");

/** Sensitive acts want a password or a code from the last ten minutes. */
export function assertRecentlyAuthenticated({
  recently_authenticated_until,
}: Pick<UserSession, "recently_authenticated_until">): void {
  if (!recently_authenticated_until)
    throw new Problem("reauthentication_required", "Confirm that it's you, then try again.");
}

/**
 * Whatever changes something must come from a page of the dashboard itself. Browsers say where a call comes from, and a page
 * cannot make them lie; a call that does not say it is not from one of ours.
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

import { type MemberRole, type Mode, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request, RequestHandler } from "express";
import { isAtLeast } from "../domain/role.ts";
import { findVisitor, type Visitor } from "../store/visitors.ts";
import type { Cookies } from "./cookies.ts";

/** Somebody who is signed in, and the token under which. */
export type SignedIn = Visitor & { token: string };
/** Somebody who belongs to the merchant they ask about. */
export type Member = SignedIn & { role: MemberRole; merchant: { id: string; name: string; mode: Mode } };

export type Visitors = ReturnType<typeof createVisitors>;

export function createVisitors({ pool, cookies }: { pool: Pool; cookies: Cookies }) {
  async function signedIn(request: Request, merchantId: string | null = null): Promise<SignedIn> {
    const token = cookies.sessionToken(request);
    const visitor = token && (await findVisitor(pool, token, merchantId));
    if (!token || !visitor) throw new Problem("sign_in_required", "Sign in first.");
    return { ...visitor, token };
  }

  return {
    signedIn,

    /** A merchant that is not one's own is as unknown as one that there is not. */
    async member(request: Request, merchant: { id: string; mode: Mode }, least: MemberRole): Promise<Member> {
      const visitor = await signedIn(request, merchant.id);
      const { role, merchant_name: name } = visitor;
      if (!role || !name) throw notFound();
      assertRole(role, least);
      return { ...visitor, role, merchant: { ...merchant, name } };
    },
  };
}

const WHO: Record<MemberRole, string> = { owner: "an owner", developer: "an owner or a developer", viewer: "a member" };

export function assertRole(role: MemberRole, least: MemberRole): void {
  if (!isAtLeast(role, least)) throw new Problem("role_required", `Only ${WHO[least]} may do that.`);
}

export const notFound = () => new Problem("not_found", "Nothing was found for this reference.");

/** Sensitive acts want a proof of who sits there that is not older than ten minutes. */
export function assertFresh({ fresh_until }: Pick<Visitor, "fresh_until">): void {
  if (!fresh_until) throw new Problem("reauthentication_required", "Confirm that it's you, then try again.");
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

import { PROBLEMS, Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request, Response } from "express";
import { z } from "zod";
import type { Config } from "../config.ts";
import { sha256 } from "../domain/token.ts";
import { endEnrolment } from "../store/enrolments.ts";
import { addNotice } from "../store/notices.ts";
import { forgiveAttempts } from "../store/rate-limits.ts";
import { carryOverAuthentication, endIfOver } from "../store/sessions.ts";
import { findUserByEmail } from "../store/sign-in-links.ts";
import type { Cookies } from "./cookies.ts";
import { sessionBegun } from "./session-begun.ts";
import { assertMayChangeFactors, assertMayEnrol, limitsOf, type Sessions } from "./sessions.ts";

/** What this service does before and after better-auth's part of a sign-in. */

type Deps = { config: Config; cookies: Cookies; pool: Pool; sessions: Sessions };

/** better-auth knows when a session expires, not that it was idle too long. */
export async function forgetEnded({ pool, cookies, config }: Deps, request: Request): Promise<void> {
  const token = cookies.sessionToken(request);
  if (token) await endIfOver(pool, token, limitsOf(config));
}

/** Who signs up with an address that has an account gets the usual response; its user is notified by mail, once an hour at most. */
export async function tellKnownUser(
  { pool }: Deps,
  _request: Request,
  { locals }: Response,
  call: () => Promise<unknown>,
): Promise<unknown> {
  const userId = await findUserByEmail(pool, locals.fields.email);
  const answer = await call();
  const hour = new Date().toISOString().slice(0, 13);
  if (userId)
    await addNotice(pool, { key: `already_registered:${userId}:${hour}`, kind: "already_registered", userId });
  return answer;
}

/**
 * In a session the code of an authenticator that is not yet in use turns it on, which changes the user's second factors; a backup
 * code of it would count as a second factor once there is one.
 */
export async function refuseForeignAuthenticator({ sessions, pool }: Deps, request: Request): Promise<void> {
  const session = await sessions.signedIn(request).catch((problem) => {
    if (problem instanceof Problem && PROBLEMS[problem.code].status === 401) return null;
    throw problem;
  });
  if (!session || session.two_factor_enabled) return;
  assertMayChangeFactors(session);
  await assertMayEnrol(pool, session);
}

/** The password was right: resets the attempts, remembers the browser, and ends its previous session. */
export async function passwordAccepted(deps: Deps, request: Request, response: Response): Promise<void> {
  const { email } = response.locals.fields;
  const { pool, cookies } = deps;
  const device = cookies.deviceOf(request, email);
  await forgiveAttempts(pool, [
    `sign_in_account:${accountKey(email)}`,
    ...(device ? [`sign_in_device:${device}`] : []),
  ]);
  await sessionBegun(deps, { request, response, hasSecondFactor: false });
}

/** A code or a passkey was right: in the session that begins with it, or else in the present one. */
export const secondFactorGiven = (deps: Deps, request: Request, response: Response): Promise<void> =>
  sessionBegun(deps, { request, response, hasSecondFactor: true });

/** One permission sets up one factor, which was given with it. */
export async function factorAdded(deps: Deps, request: Request, response: Response): Promise<void> {
  await endEnrolment(deps.pool, response.locals.session.session_id);
  await secondFactorGiven(deps, request, response);
}

const NewSession = z.object({ token: z.string() });

/**
 * A changed password ends every session and starts a new one. For a user with a second factor the password alone is not
 * enough: the new session counts as recently authenticated only as long as the previous one did. The browser gets its cookie
 * once this is stored.
 */
export async function passwordChanged(
  { pool }: Deps,
  _request: Request,
  { locals }: Response,
  answer: unknown,
): Promise<void> {
  await carryOverAuthentication(pool, NewSession.parse(answer).token, locals.session);
}

/** The counts do not contain the address itself. */
export const accountKey = (email: string) => sha256(email).toString("base64url");

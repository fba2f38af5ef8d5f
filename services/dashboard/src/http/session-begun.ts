import type { Pool } from "@collect/database";
import type { Request, Response } from "express";
import { findSessionUser, rememberDevice } from "../store/devices.ts";
import { endSession } from "../store/sessions.ts";
import type { Cookies } from "./cookies.ts";

/**
 * After better-auth has accepted a proof: remembers the browser, notes a second factor in the session, and ends the session that
 * the new one replaces. Without a new session the proof was given in the present one. A sign-in that waits for its second factor
 * has neither.
 */
export async function sessionBegun(
  { pool, cookies }: { pool: Pool; cookies: Cookies },
  { request, response, hasSecondFactor }: { request: Request; response: Response; hasSecondFactor: boolean },
): Promise<void> {
  const previous = cookies.sessionToken(request);
  const token = cookies.issuedToken(response) ?? (hasSecondFactor ? previous : undefined);
  const user = token && (await findSessionUser(pool, token));
  if (token && user) {
    const device = cookies.markDevice(request, response, user.email);
    await rememberDevice(pool, { token, device, hasSecondFactor });
  }
  if (previous && previous !== token) await endSession(pool, previous);
}

import { Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request } from "express";
import { claimCode, releaseCode } from "../store/one-time-codes.ts";
import type { Cookies } from "./cookies.ts";

/**
 * Accepts each authenticator code only once, so that it is useless to an onlooker. The code is claimed before it is checked,
 * so that one of two concurrent uses is refused, and released if it was wrong: better-auth counts wrong codes.
 */
export async function withCode<Answer>(
  { pool, cookies }: { pool: Pool; cookies: Cookies },
  { request, code }: { request: Request; code: string },
  check: () => Promise<Answer>,
): Promise<Answer> {
  const [session, challenge] = [cookies.sessionToken(request), cookies.waitingSignIn(request)];
  const { known, identifier } = await claimCode(pool, { session, challenge, code });
  // There is no user whose code it could be: better-auth refuses it.
  if (!known) return check();
  if (!identifier) throw usedAlready();
  try {
    return await check();
  } catch (error) {
    if (error instanceof Problem && error.code === "validation_failed") await releaseCode(pool, identifier);
    throw error;
  }
}

function usedAlready(): Problem {
  const message = "was already used; wait for the next one";
  return new Problem("validation_failed", `The code ${message}.`, {
    errors: [{ param: "code", code: "invalid", message }],
  });
}

import { Problem } from "@collect/contracts";
import type { Pool } from "@collect/database";
import type { Request } from "express";
import { claimCode, releaseCode } from "../store/one-time-codes.ts";
import type { Cookies } from "./cookies.ts";

/**
 * Checks a code of an authenticator, once, so that an onlooker has no use for it. It is taken before it is checked, so
 * that of two at once one is refused, and given back when it was wrong: a wrong code is better-auth's to count.
 */
export async function withCode<Answer>(
  { pool, cookies }: { pool: Pool; cookies: Cookies },
  { request, code }: { request: Request; code: string },
  check: () => Promise<Answer>,
): Promise<Answer> {
  const [session, challenge] = [cookies.sessionToken(request), cookies.waitingSignIn(request)];
  const { known, identifier } = await claimCode(pool, { session, challenge, code });
  // There is no user whose code it could be: better-auth refuses it, in its words.
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
  const message = "was used already; wait for the next one";
  return new Problem("validation_failed", `The code ${message}.`, {
    errors: [{ param: "code", code: "invalid", message }],
  });
}

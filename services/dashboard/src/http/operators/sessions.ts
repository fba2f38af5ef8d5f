import { randomBytes } from "node:crypto";
import type { Bus } from "@collect/bus";
import { getOperatorKey, Problem, type RequestContext } from "@collect/contracts";
import type { Request, Response } from "express";
import type { OperatorsConfig } from "../../config.ts";

type Operator = { name: string; public_key: string };
/** `set_up_at` is when the password and the authenticator were chosen that the session began with. */
type Session = Operator & { set_up_at: string; beganAt: number; usedAt: number };

/** Who makes a call; it is refused without a session. */
export type SignedIn = (request: Request, response: Response) => Promise<Operator>;

/** A session ends after this time without use, and after this time altogether. */
const [IDLE_MS, MAX_MS] = [30 * 60_000, 12 * 3_600_000];
/** Operators are few; of more sessions the oldest end. */
const SESSIONS_MAX = 500;

/**
 * The operators' sessions, in the memory of the one process that serves their pages: a restart ends them all. A session
 * begins only with a password, a code and a key, and belongs to that key: it ends once the key is removed,
 * or the password and the authenticator are reset.
 */
export function createOperatorSessions({ bus, config, now }: Deps) {
  const sessions = new Map<string, Session>();
  const isSecure = config.APP_URL.startsWith("https:");
  const cookie = `${isSecure ? "__Host-" : ""}collect-operators.session`;
  const attributes = { httpOnly: true, sameSite: "strict", secure: isSecure, path: "/" } as const;

  const tokenOf = (request: Request) =>
    (request.headers.cookie ?? "")
      .split(";")
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${cookie}=`))
      ?.slice(cookie.length + 1) ?? "";

  function current(request: Request): Session {
    const [token, at] = [tokenOf(request), now()];
    const session = sessions.get(token);
    if (!session) throw new Problem("sign_in_required", "Sign in first.");
    if (at - session.usedAt < IDLE_MS && at - session.beganAt < MAX_MS) return session;
    sessions.delete(token);
    throw new Problem(
      "session_ended",
      "You were signed out after half an hour without use, or 12 hours. Sign in again.",
    );
  }

  return {
    begin(response: Response, operator: Operator & Pick<Session, "set_up_at">): void {
      const token = randomBytes(32).toString("base64url");
      sessions.set(token, { ...operator, beganAt: now(), usedAt: now() });
      const [oldest] = sessions.keys();
      if (oldest && sessions.size > SESSIONS_MAX) sessions.delete(oldest);
      response.cookie(cookie, token, attributes);
    },

    end(request: Request, response: Response): void {
      sessions.delete(tokenOf(request));
      response.clearCookie(cookie, attributes);
    },

    /** The gateway is asked each time whether the key is still an operator's, and the sign-in the same: a removal or a reset holds at once. */
    async signedIn(request: Request, context: Partial<RequestContext>): Promise<Operator> {
      const session = current(request);
      const { public_key } = session;
      const { name, set_up_at } = await bus.request(getOperatorKey, { public_key }, context).catch((error) => {
        if (!(error instanceof Problem) || error.code !== "not_found") throw error;
        sessions.delete(tokenOf(request));
        throw new Problem("session_ended", "Your key was removed: you are no operator any more.");
      });
      if (set_up_at !== session.set_up_at) {
        sessions.delete(tokenOf(request));
        throw new Problem("session_ended", "Your password and authenticator were reset. Sign in again.");
      }
      if (request.get("x-unattended") === undefined) session.usedAt = now();
      return { name, public_key };
    },
  };
}
export type OperatorSessions = ReturnType<typeof createOperatorSessions>;
type Deps = { bus: Bus; config: OperatorsConfig; now: () => number };

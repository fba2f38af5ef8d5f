import { isRefusal } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { contextOf } from "@collect/http";
import type { Request, Response } from "express";
import { z } from "zod";
import { noteActOfUser } from "../store/audit.ts";
import { placeNotices } from "../store/notices.ts";
import { clientOf } from "./client.ts";
import type { Cookies } from "./cookies.ts";

export type UserAct = {
  /** When it succeeds; and when it fails, if that is recorded. */
  done: string;
  refused?: string;
  /** When it succeeds for a user who is signed in already. */
  confirmed?: string;
};

/** Signing in with a second factor is two calls; only the last one signs in. */
export const SIGN_IN: UserAct = { done: "signed_in", refused: "sign_in.failed" };

const SignedInAnswer = z.object({
  twoFactorRedirect: z.boolean().optional(),
  user: z.object({ id: z.string() }).optional(),
});

/** Records what happened to a known user, in every team that the user is in. */
export async function audited(
  audit: UserAct | undefined,
  { pool, cookies }: { pool: Pool; cookies: Cookies },
  request: Request,
  response: Response,
  perform: () => Promise<unknown>,
): Promise<unknown> {
  const { userId: signedInId, fields } = response.locals;
  const email: string | undefined = fields?.email;
  const { requestId, actor } = contextOf(response);
  const note = async (action: string, outcome: "done" | "refused", userId: string | undefined) => {
    const who = userId ? { userId } : email ? { email } : undefined;
    if (!who) return;
    const isNewDevice = email !== undefined && cookies.deviceOf(request, email) === undefined;
    const byUser = outcome === "done" && actor.kind === "anonymous" ? "the user" : actor;
    const detail = { ...(isNewDevice && { new_device: true }), address: request.ip ?? "" };
    await noteActOfUser(pool, { ...who, action, outcome, detail, actor: byUser, requestId });
  };
  try {
    const answer = await perform();
    const parsed = SignedInAnswer.safeParse(answer);
    const { twoFactorRedirect = false, user } = parsed.success ? parsed.data : {};
    const isConfirmation = audit?.confirmed !== undefined && cookies.sessionToken(request);
    const action = isConfirmation ? audit.confirmed : audit?.done;
    const userId = signedInId ?? user?.id;
    if (action && !twoFactorRedirect) await note(action, "done", userId);
    if (userId) await placeNotices(pool, userId, clientOf(request));
    return answer;
  } catch (error) {
    if (audit?.refused && isRefusal(error)) await note(audit.refused, "refused", signedInId);
    throw error;
  }
}

import { Problem } from "@collect/contracts";
import { z } from "zod";
import { isToken, sha256 } from "../domain/token.ts";
import { answerOf, headersOf, withOutages } from "../http/better-auth.ts";
import { sessionBegun } from "../http/session-begun.ts";
import { noteActOfUser } from "../store/audit.ts";
import { takeLink } from "../store/sign-in-links.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

const SignedIn = z.looseObject({ twoFactorRedirect: z.boolean().optional() });

/** Only this call uses the link: opening its page, as a preview may do, changes nothing. */
export async function signInByLink(
  { auth, cookies, pool }: PersonDeps,
  { input: { token }, request, response, context }: Omit<PersonCall<"sign-in-link">, "session">,
) {
  const userId = isToken(token) && (await takeLink(pool, { hash: sha256(token), requestId: context.requestId }));
  if (!userId) throw new Problem("not_found", "This link was already used or has expired. Request a new one.");
  const headers = headersOf(request, cookies);
  const signedIn = auth.api.signInByLink({ body: { userId }, headers, asResponse: true });
  const answer = SignedIn.parse(await answerOf(await withOutages(signedIn), response));
  const act = { action: "sign_in_link.used", detail: { address: request.ip ?? "" }, outcome: "done" as const };
  await noteActOfUser(pool, { ...act, requestId: context.requestId, actor: "the user", userId });
  await sessionBegun({ pool, cookies }, { request, response, hasSecondFactor: false });
  return answer;
}

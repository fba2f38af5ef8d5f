import { Problem } from "@collect/contracts";
import { z } from "zod";
import { isToken, sha256 } from "../domain/token.ts";
import { answerOf, headersOf, withOutages } from "../http/better-auth.ts";
import { endSession } from "../store/sessions.ts";
import { takeLink } from "../store/sign-in-links.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

const SignedIn = z.looseObject({ twoFactorRedirect: z.boolean().optional() });

/** Only this call uses the link: opening its page, as a preview may do, changes nothing. */
export async function signInByLink(
  { auth, cookies, pool }: PersonDeps,
  { input: { token }, request, response, requestId }: Omit<PersonCall<"sign-in-link">, "session">,
) {
  const userId = isToken(token) && (await takeLink(pool, { hash: sha256(token), requestId }));
  if (!userId) throw new Problem("not_found", "This link has been used or has expired. Request a new one.");
  const previous = cookies.sessionToken(request);
  if (previous) await endSession(pool, previous);
  const headers = headersOf(request, cookies);
  const signedIn = auth.api.signInByLink({ body: { userId }, headers, asResponse: true });
  return SignedIn.parse(await answerOf(await withOutages(signedIn), response));
}

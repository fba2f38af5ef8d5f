import { Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { isToken, sha256 } from "../domain/token.ts";
import { clientOf } from "../http/client.ts";
import { noteAct } from "../store/audit.ts";
import { findInvitation, findOffer, insertMember, takeInvitation } from "../store/team.ts";
import { noteJoined } from "../store/team-notices.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

/** What its link shows, signed in or not: opening it changes nothing. */
export async function showInvitation(
  { pool }: PersonDeps,
  { input: { token } }: Pick<PersonCall<"invitations/show">, "input">,
) {
  const invitation = isToken(token) && (await findOffer(pool, sha256(token)));
  if (!invitation) throw over();
  return invitation;
}

/** The token is valid only for the email address it was created for. An existing member keeps their role. */
export async function acceptInvitation(
  { pool }: PersonDeps,
  {
    input: { token },
    session: { user_id: userId, name: user, email },
    request,
    context,
  }: PersonCall<"invitations/accept">,
) {
  if (!isToken(token)) throw over();
  const hash = sha256(token);
  return transaction(pool, async (tx) => {
    const taken = await takeInvitation(tx, hash, email);
    if (!taken) throw (await findInvitation(tx, hash)) ? forAnother() : over();
    const { merchant_id: merchantId, role, name } = taken;
    if (await insertMember(tx, { merchantId, userId, role })) {
      const joined = { merchantId, role, who: `${user} (${email})`, client: clientOf(request) };
      await noteJoined(tx, { ...joined, requestId: context.requestId });
    }
    await noteAct(tx, { merchantId, action: "invitation.accepted", detail: { role }, ...context, outcome: "done" });
    return { merchant_id: merchantId, name };
  });
}

const over = () => new Problem("not_found", "This invitation has been accepted, has been revoked or has expired.");
const forAnother = () =>
  new Problem("conflict", "This invitation is for another email address. Sign in with the one it was sent to.");

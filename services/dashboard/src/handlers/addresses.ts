import { randomUUID } from "node:crypto";
import { Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { newMailedLink } from "../domain/mailed-token.ts";
import { VALID_MINUTES } from "../domain/mails-to-users.ts";
import { assertSendsMail } from "../domain/sends-mail.ts";
import { isToken, sha256 } from "../domain/token.ts";
import { confirmAddress, findMailedLink, insertMailedLink } from "../store/mailed-links.ts";
import { queueMails } from "../store/mails.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

/** Sends the link that confirms the user's address once more; it replaces the previous one. */
export async function sendConfirmation({ pool, config }: PersonDeps, { session }: PersonCall<"address/send">) {
  const { user_id: userId, email: recipient, is_confirmed } = session;
  if (is_confirmed) throw new Problem("conflict", "Your email address is already confirmed.");
  assertSendsMail(config);
  const occasion = `confirm_address:${userId}:${randomUUID()}`;
  const { hash, proof: detail } = newMailedLink(config.AUTH_SECRET, occasion);
  const kind = "confirm_address";
  await transaction(pool, async (tx) => {
    await insertMailedLink(tx, { hash, kind, userId, validMinutes: VALID_MINUTES[kind] });
    await queueMails(tx, [{ occasion, recipient, kind, detail }]);
  });
  return { status: true };
}

/**
 * Only the signed-in user whose address it is can use the link: the owner of an address that another person used to sign up must
 * not confirm it for that person with a click.
 */
export async function confirm({ pool }: PersonDeps, { input: { token }, session }: PersonCall<"address/confirm">) {
  const hash = isToken(token) ? sha256(token) : null;
  if (hash && (await confirmAddress(pool, hash, session.user_id))) return { status: true };
  // A second click on the link that was used.
  if (session.is_confirmed) return { status: true };
  if (hash && (await findMailedLink(pool, { hash, kind: "confirm_address" })))
    throw new Problem("conflict", `This link is for another account. You are signed in as ${session.email}.`);
  throw new Problem("not_found", "This link was already used or has expired. Send a new one from the dashboard.");
}

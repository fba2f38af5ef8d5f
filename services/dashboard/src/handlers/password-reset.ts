import { randomUUID } from "node:crypto";
import { Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { newMailedLink } from "../domain/mailed-token.ts";
import { VALID_MINUTES } from "../domain/mails-to-users.ts";
import { assertSendsMail } from "../domain/sends-mail.ts";
import { isToken, sha256 } from "../domain/token.ts";
import { clientOf } from "../http/client.ts";
import { assertStrong, personalWordsOf } from "../http/passwords.ts";
import { noteActOfUser } from "../store/audit.ts";
import { findMailedLink, requestReset, resetPassword as reset } from "../store/mailed-links.ts";
import { placeNotices } from "../store/notices.ts";
import { findUser } from "../store/users.ts";
import type { PersonCall, PersonDeps } from "./person.ts";

/** The same statement and the same response, whether or not the address is known: docs/decisions/0037. */
export async function requestPasswordReset(
  { pool, config }: PersonDeps,
  { input: { email } }: Omit<PersonCall<"password-reset/request">, "session">,
) {
  assertSendsMail(config);
  const occasion = `reset_password:${randomUUID()}`;
  const { hash, proof: detail } = newMailedLink(config.AUTH_SECRET, occasion);
  await requestReset(pool, { email, occasion, hash, detail, validMinutes: VALID_MINUTES.reset_password });
  return { status: true };
}

/** Does not sign in: a user with a second factor still has to give it. */
export async function resetPassword(
  { auth, pool }: PersonDeps,
  { input: { token, new_password: password }, request, context }: Omit<PersonCall<"password-reset">, "session">,
) {
  const hash = isToken(token) ? sha256(token) : null;
  const userId = hash && (await findMailedLink(pool, { hash, kind: "reset_password" }));
  const user = userId && (await findUser(pool, userId));
  if (!hash || !user) throw over();
  await assertStrong(password, { param: "new_password", personal: await personalWordsOf(pool, user) });
  const { password: passwords } = await auth.$context;
  const hashed = await passwords.hash(password);
  await transaction(pool, async (tx) => {
    if (!(await reset(tx, { hash, password: hashed }))) throw over();
    const act = { action: "password.reset", detail: {}, outcome: "done" as const, requestId: context.requestId };
    await noteActOfUser(tx, { ...act, actor: "the user", userId });
    await placeNotices(tx, userId, clientOf(request));
  });
  return { status: true };
}

const over = () => new Problem("not_found", "This link was already used or has expired. Request a new one.");

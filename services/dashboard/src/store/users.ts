import { type Session, statement, type Transaction } from "@collect/database";

const byId = statement<{ user_id: string; name: string; email: string }>(
  "select id as user_id, name, email from users where id = $1",
);

export async function findUser(
  session: Session,
  userId: string,
): Promise<{ user_id: string; name: string; email: string } | undefined> {
  const [user] = await byId(session, [userId]);
  return user;
}

const insert = statement<{ id: string }>(`
  insert into users (id, email, name, email_verified) values ($1, $2, $3, true)
  on conflict (email) do nothing returning id`);
const find = statement<{ id: string; proven: boolean }>(
  "select id, email_verified as proven from users where email = $1 for update",
);

/** The user with this address; if there is none, one is created without a password. `proven`: the address is proven. */
export async function lockUser(
  tx: Transaction,
  user: { id: string; email: string; name: string },
): Promise<{ id: string; proven: boolean; created: boolean }> {
  const [inserted] = await insert(tx, [user.id, user.email, user.name]);
  if (inserted) return { id: inserted.id, proven: true, created: true };
  const [found] = await find(tx, [user.email]);
  if (!found) throw new Error("a user was not stored");
  return { ...found, created: false };
}

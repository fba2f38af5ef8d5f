import { type Pool, type Session, statement } from "@collect/database";

const nameOf = statement<{ name: string }>(
  "select name from operator_keys where public_key = $1 and removed_at is null",
);

/** The person who has this key; undefined if nobody does, or does no more. */
export async function findOperator(session: Session, publicKey: string): Promise<string | undefined> {
  return (await nameOf(session, [publicKey]))[0]?.name;
}

const insertKeys = statement<{ public_key: string }>(`
  insert into operator_keys (name, public_key) select name, public_key from unnest($1::text[], $2::text[]) as given (name, public_key)
  on conflict (public_key) do nothing returning public_key`);

export type OperatorKey = { name: string; public_key: string };

/** Returns how many are new. A key belongs to one person for ever, and a removed one stays removed. */
export async function addOperatorKeys(session: Session, keys: OperatorKey[]): Promise<number> {
  return (await insertKeys(session, [keys.map(({ name }) => name), keys.map(({ public_key }) => public_key)])).length;
}

const remove = statement<{ public_key: string }>(`
  update operator_keys set removed_at = clock_timestamp()
  where name = $1 and removed_at is null and ($2::text is null or public_key = $2) returning public_key`);

export async function removeOperatorKeys(session: Session, name: string, publicKey?: string): Promise<number> {
  return (await remove(session, [name, publicKey ?? null])).length;
}

const active = statement<{ name: string }>("select distinct name from operator_keys where removed_at is null");

/** The persons who can operate now. */
export const activeOperators = async (session: Session): Promise<string[]> =>
  (await active(session, [])).map(({ name }) => name);

const all = statement<OperatorKey & { added_at: string; removed_at: string | null }>(
  "select name, public_key, added_at, removed_at from operator_keys order by name, added_at limit 500",
);

export const listOperatorKeys = (pool: Pool) => all(pool);

import { type Pool, type Session, statement } from "@collect/database";

export type SignIn = { name: string; set_up_at: string };

const insert = statement<SignIn>(`
  insert into operator_sign_ins (name, sealed, last_step) values ($1, $2, $3) on conflict (name) do nothing returning name, set_up_at`);

/** Undefined if the operator has a password: it is replaced by nothing but a reset. */
export const addSignIn = async (
  session: Session,
  { name, sealed, step }: { name: string; sealed: Buffer; step: number },
): Promise<SignIn | undefined> => (await insert(session, [name, sealed, step]))[0];

const count = statement<Attempt>(`
  update operator_sign_ins set
    attempts = case when attempts_since > clock_timestamp() - interval '15 minutes' then attempts + 1 else 1 end,
    attempts_since = case when attempts_since > clock_timestamp() - interval '15 minutes' then attempts_since else clock_timestamp() end
  where name = $1
  returning sealed, attempts, ceil(extract(epoch from attempts_since + interval '15 minutes' - clock_timestamp()))::int as rest_s`);

export type Attempt = { sealed: Buffer; attempts: number; rest_s: number };

/** Counts an attempt before it is checked, so that attempts at once count as well. Undefined without a password. */
export const countAttempt = async (pool: Pool, name: string): Promise<Attempt | undefined> =>
  (await count(pool, [name]))[0];

const accept = statement<SignIn>(`
  update operator_sign_ins set last_step = $3, attempts = 0
  where name = $1 and sealed = $2 and last_step < $3 returning name, set_up_at`);

/** Undefined if this code, or a later one, was accepted before, or if the sign-in was reset meanwhile. */
export const acceptCode = async (
  pool: Pool,
  { name, sealed, step }: { name: string; sealed: Buffer; step: number },
): Promise<SignIn | undefined> => (await accept(pool, [name, sealed, step]))[0];

const remove = statement<{ name: string }>("delete from operator_sign_ins where name = $1 returning name");

export const removeSignIn = async (pool: Pool, name: string): Promise<boolean> =>
  (await remove(pool, [name])).length > 0;

const find = statement<SignIn>("select name, set_up_at from operator_sign_ins where name = $1");

export const findSignIn = async (pool: Pool, name: string): Promise<SignIn | undefined> =>
  (await find(pool, [name]))[0];

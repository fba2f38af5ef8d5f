import { type Pool, statement } from "@collect/database";

const KEPT_PER_USER = 20;

const findUser = statement<{ id: string }>("select id from users where email = $1");

export async function findUserByEmail(pool: Pool, email: string): Promise<string | undefined> {
  const [user] = await findUser(pool, [email]);
  return user?.id;
}

const insert = statement<{ expires_at: string }>(`
  with kept as (
    delete from sign_in_links where token_hash = any (array(
      select token_hash from sign_in_links where user_id = $2 order by expires_at desc offset ${KEPT_PER_USER - 1}
    ))
  )
  insert into sign_in_links (token_hash, user_id, expires_at)
  values ($1, $2, clock_timestamp() + $3 * interval '1 minute') returning expires_at`);

/** Keeps a link by the hash of its token; the oldest of more than twenty are forgotten. Answers with when it is over. */
export async function insertLink(
  pool: Pool,
  { hash, userId, validMinutes }: { hash: Buffer; userId: string; validMinutes: number },
): Promise<string> {
  const [link] = await insert(pool, [hash, userId, validMinutes]);
  if (!link) throw new Error("a sign-in link was not stored");
  return link.expires_at;
}

/**
 * Uses a link up and says whose it was; of two who open it at once one gets nothing. Whoever opens the operator's link has the
 * address. If nobody had shown that before, somebody else may have signed up under it: their password, second factor and
 * sessions go with this statement.
 */
const use = statement<{ user_id: string }>(`
  with used as (delete from sign_in_links where token_hash = $1 returning user_id, expires_at > clock_timestamp() as in_time),
    unproven as (
      update users set email_verified = true, two_factor_enabled = false, updated_at = clock_timestamp()
      where id in (select user_id from used where in_time) and not email_verified returning id
    ),
    without_password as (delete from accounts where user_id in (select id from unproven)),
    without_factor as (delete from two_factors where user_id in (select id from unproven)),
    signed_out as (delete from sessions where user_id in (select id from unproven))
  select user_id from used where in_time`);

export async function takeLink(pool: Pool, hash: Buffer): Promise<string | undefined> {
  const [link] = await use(pool, [hash]);
  return link?.user_id;
}

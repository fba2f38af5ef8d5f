import { type Pool, type Session, statement, transaction } from "@collect/database";

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
  insert into sign_in_links (token_hash, user_id, expires_at, clears)
  values ($1, $2, clock_timestamp() + $3 * interval '1 minute', $4) returning expires_at`);

/** Stores a link by the hash of its token, and keeps only a user's newest twenty. Returns when the link expires. */
export async function insertLink(
  session: Session,
  { hash, userId, validMinutes, clears }: { hash: Buffer; userId: string; validMinutes: number; clears: boolean },
): Promise<string> {
  const [link] = await insert(session, [hash, userId, validMinutes, clears]);
  if (!link) throw new Error("a sign-in link was not stored");
  return link.expires_at;
}

/**
 * Deletes a used link and returns its user; of two concurrent uses one gets nothing. A user who opens the operator's link owns
 * the address. If that was not proven before, someone else may have signed up under it: this statement deletes their password,
 * second factor and sessions. With `clears`, it also gives up the businesses created under the address; otherwise they are
 * assumed to belong to the address's owner, who lost the password.
 */
const use = statement<{ user_id: string; is_cleared: boolean }>(`
  with used as (delete from sign_in_links where token_hash = $1 returning user_id, clears, expires_at > clock_timestamp() as in_time),
    unproven as (
      update users set email_verified = true, two_factor_enabled = false, updated_at = clock_timestamp()
      where id in (select user_id from used where in_time) and not email_verified returning id
    ),
    without_password as (delete from accounts where user_id in (select id from unproven)),
    without_factor as (delete from two_factors where user_id in (select id from unproven)),
    without_passkeys as (delete from passkeys where user_id in (select id from unproven)),
    signed_out as (delete from sessions where user_id in (select id from unproven)),
    unfounded as (update businesses set founder_id = null where founder_id in (select id from unproven, used where used.clears))
  select user_id, clears and exists (select from unproven) as is_cleared from used where in_time`);

/** Each removal is in the team's audit log, so that the operator can add back a member who should have stayed. */
const leaveTeams = statement(`
  with left_teams as (delete from members where user_id = $1 returning merchant_id, role),
    uninvited as (delete from invitations where invited_by = $1)
  insert into audit_log (merchant_id, actor, action, detail, outcome, request_id)
  select merchant_id, '{"kind":"system","service":"dashboard"}', 'member.removed', jsonb_build_object('user_id', $1::text, 'email', u.email, 'role', role, 'reason', 'unproven'), 'done', $2
  from left_teams cross join users u where u.id = $1`);

export function takeLink(
  pool: Pool,
  { hash, requestId }: { hash: Buffer; requestId: string },
): Promise<string | undefined> {
  return transaction(pool, async (tx) => {
    const [link] = await use(tx, [hash]);
    // A separate statement: a business whose registration was in progress is registered by now, or has no founder.
    if (link?.is_cleared) await leaveTeams(tx, [link.user_id, requestId.slice(0, 100)]);
    return link?.user_id;
  });
}

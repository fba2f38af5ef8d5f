import type { MemberRole } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/** How long after a password or a code sensitive actions are allowed. */
const RECENT_FOR = "interval '10 minutes'";

/** The signed-in user, with their role in the requested merchant; both `role` and `merchant_name` are null for a non-member. */
export type UserSession = {
  session_id: string;
  user_id: string;
  name: string;
  email: string;
  two_factor_enabled: boolean;
  has_password: boolean;
  is_confirmed: boolean;
  has_passkey: boolean;
  /** Whether a second factor that the user still has was given in this session. */
  second_factor: boolean;
  /** Why it has ended. */
  ended: "idle" | "expired" | null;
  /** Null once it has passed. */
  recently_authenticated_until: string | null;
  role: MemberRole | null;
  merchant_name: string | null;
};

/** The maximum age of sessions in use and of all, as parameters $3 and $4. */
const IS_IDLE = "s.last_used_at <= clock_timestamp() - $3 * interval '1 minute'";
const IS_EXPIRED = "(s.expires_at <= clock_timestamp() or s.created_at <= clock_timestamp() - $4 * interval '1 hour')";

/**
 * Session, membership and role in one statement, on every call: a removal or a sign-out takes effect on the next call. The use is
 * noted to the minute.
 */
const find = statement<UserSession>(`
  with used as (
    update sessions s set last_used_at = clock_timestamp()
    where token = $1 and $5 and last_used_at < clock_timestamp() - interval '1 minute' and not ${IS_IDLE} and not ${IS_EXPIRED}
  )
  select s.id as session_id, u.id as user_id, u.name, u.email, u.two_factor_enabled, u.email_verified as is_confirmed, p.has_passkey,
    s.second_factor and (u.two_factor_enabled or p.has_passkey) as second_factor,
    case when ${IS_EXPIRED} then 'expired' when ${IS_IDLE} then 'idle' end as ended,
    exists (select from accounts a where a.user_id = u.id and a.password is not null) as has_password,
    case when s.confirmed_at + ${RECENT_FOR} > clock_timestamp() then s.confirmed_at + ${RECENT_FOR} end as recently_authenticated_until,
    m.role, b.name as merchant_name
  from sessions s
  join users u on u.id = s.user_id
  left join members m on m.user_id = u.id and m.merchant_id = $2
  left join businesses b on b.id = m.merchant_id
  cross join lateral (select exists (select from passkeys k where k.user_id = u.id) as has_passkey) p
  where s.token = $1`);

/** How long sessions last. */
export type SessionLimits = { idleMinutes: number; maxHours: number };

/** `isAttended`: whether a person caused the call. */
export async function findSession(
  pool: Pool,
  call: SessionLimits & { token: string; merchantId: string | null; isAttended: boolean },
): Promise<UserSession | undefined> {
  const { token, merchantId, idleMinutes, maxHours, isAttended } = call;
  const [session] = await find(pool, [token, merchantId, idleMinutes, maxHours, isAttended]);
  return session;
}

const confirm = statement<{ recently_authenticated_until: string }>(`
  update sessions set confirmed_at = clock_timestamp(), second_factor = second_factor or $2 where id = $1
  returning confirmed_at + ${RECENT_FOR} as recently_authenticated_until`);

/** Records that the user has just provided the password, or a code, which is a second factor. */
export async function confirmSession(
  pool: Pool,
  sessionId: string,
  hasSecondFactor: boolean,
): Promise<string | undefined> {
  const [confirmed] = await confirm(pool, [sessionId, hasSecondFactor]);
  return confirmed?.recently_authenticated_until;
}

const carryOver = statement(`
  with known as (delete from notices where key = (select 'signed_in:' || id from sessions where token = $1))
  update sessions s set second_factor = $3, confirmed_at = case
    when u.two_factor_enabled or exists (select from passkeys k where k.user_id = u.id)
    then coalesce($2::timestamptz, clock_timestamp()) - ${RECENT_FOR} else s.confirmed_at end
  from users u where s.token = $1 and u.id = s.user_id`);

/**
 * A session that replaces another is in the same browser and has what was proven in the other one. With a second factor it is
 * recently authenticated only as long as the other one was, if at all.
 */
export const carryOverAuthentication = async (
  pool: Pool,
  token: string,
  previous: Pick<UserSession, "recently_authenticated_until" | "second_factor">,
) => void (await carryOver(pool, [token, previous.recently_authenticated_until, previous.second_factor]));

const stillAllowed = statement<{ nth: number; role: MemberRole }>(`
  select requested.nth::int as nth, m.role
  from unnest($1::text[], $2::text[]) with ordinality as requested (token, merchant_id, nth)
  join sessions s on s.token = requested.token and not ${IS_IDLE} and not ${IS_EXPIRED}
  join members m on m.user_id = s.user_id and m.merchant_id = requested.merchant_id`);

/** The indexes of those that still have their session and their membership, with their present role. */
export async function findStillAllowed(
  pool: Pool,
  requested: { token: string; merchantId: string }[],
  { idleMinutes, maxHours }: SessionLimits,
): Promise<Map<number, MemberRole>> {
  const rows = await stillAllowed(pool, [
    requested.map(({ token }) => token),
    requested.map(({ merchantId }) => merchantId),
    idleMinutes,
    maxHours,
  ]);
  return new Map(rows.map(({ nth, role }) => [nth - 1, role]));
}

const endIdle = statement(
  `delete from sessions s where s.token = $1 and (${IS_IDLE.replace("$3", "$2")} or ${IS_EXPIRED.replace("$4", "$3")})`,
);

/** Before a call that better-auth authorizes by the session alone. */
export const endIfOver = async (pool: Pool, token: string, { idleMinutes, maxHours }: SessionLimits) =>
  void (await endIdle(pool, [token, idleMinutes, maxHours]));

const deleteSession = statement("delete from sessions where token = $1");

/** Ends a session that another one replaces. */
export const endSession = async (pool: Pool, token: string) => void (await deleteSession(pool, [token]));

const memberships = statement<Membership>(`
  select m.merchant_id, b.name, m.role, b.verified_at from members m join businesses b on b.id = m.merchant_id
  where m.user_id = $1 order by b.name, m.merchant_id limit 200`);

export type Membership = { merchant_id: string; name: string; role: MemberRole; verified_at: string | null };

export const listMemberships = (pool: Pool, userId: string): Promise<Membership[]> => memberships(pool, [userId]);

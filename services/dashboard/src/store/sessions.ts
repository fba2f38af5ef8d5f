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
  /** Null once it has passed. */
  recently_authenticated_until: string | null;
  role: MemberRole | null;
  merchant_name: string | null;
};

/** Session, membership and role in one statement, on every call: a removal or a sign-out takes effect on the next call. */
const find = statement<UserSession>(`
  select s.id as session_id, u.id as user_id, u.name, u.email, u.two_factor_enabled,
    exists (select from accounts a where a.user_id = u.id and a.password is not null) as has_password,
    case when s.confirmed_at + ${RECENT_FOR} > clock_timestamp() then s.confirmed_at + ${RECENT_FOR} end as recently_authenticated_until,
    m.role, b.name as merchant_name
  from sessions s
  join users u on u.id = s.user_id
  left join members m on m.user_id = u.id and m.merchant_id = $2
  left join businesses b on b.id = m.merchant_id
  where s.token = $1 and s.expires_at > clock_timestamp()`);

export async function findSession(
  pool: Pool,
  token: string,
  merchantId: string | null,
): Promise<UserSession | undefined> {
  const [session] = await find(pool, [token, merchantId]);
  return session;
}

const confirm = statement<{ recently_authenticated_until: string }>(`
  update sessions set confirmed_at = clock_timestamp() where id = $1
  returning confirmed_at + ${RECENT_FOR} as recently_authenticated_until`);

/** Records that the user has just provided the password or a code. */
export async function confirmSession(pool: Pool, sessionId: string): Promise<string | undefined> {
  const [confirmed] = await confirm(pool, [sessionId]);
  return confirmed?.recently_authenticated_until;
}

const carryOver = statement(`
  update sessions s set confirmed_at = coalesce($2::timestamptz, clock_timestamp()) - ${RECENT_FOR}
  from users u where s.token = $1 and u.id = s.user_id and u.two_factor_enabled`);

/** With a second factor, a session that replaces another is recently authenticated only as long as the other one was, if at all. */
export const carryOverAuthentication = async (pool: Pool, token: string, recentlyAuthenticatedUntil: string | null) =>
  void (await carryOver(pool, [token, recentlyAuthenticatedUntil]));

const stillAllowed = statement<{ nth: number }>(`
  select requested.nth::int as nth
  from unnest($1::text[], $2::text[]) with ordinality as requested (token, merchant_id, nth)
  join sessions s on s.token = requested.token and s.expires_at > clock_timestamp()
  join members m on m.user_id = s.user_id and m.merchant_id = requested.merchant_id`);

/** The indexes of those that still have their session and their membership. */
export async function findStillAllowed(
  pool: Pool,
  requested: { token: string; merchantId: string }[],
): Promise<Set<number>> {
  const rows = await stillAllowed(pool, [
    requested.map(({ token }) => token),
    requested.map(({ merchantId }) => merchantId),
  ]);
  return new Set(rows.map(({ nth }) => nth - 1));
}

const deleteSession = statement("delete from sessions where token = $1");

/** Ends a session that another one replaces. */
export const endSession = async (pool: Pool, token: string) => void (await deleteSession(pool, [token]));

const memberships = statement<Membership>(`
  select m.merchant_id, b.name, m.role, b.verified_at from members m join businesses b on b.id = m.merchant_id
  where m.user_id = $1 order by b.name, m.merchant_id limit 200`);

export type Membership = { merchant_id: string; name: string; role: MemberRole; verified_at: string | null };

export const listMemberships = (pool: Pool, userId: string): Promise<Membership[]> => memberships(pool, [userId]);

import type { MemberRole } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

/** How long a password or a code holds for sensitive acts. */
const RECENT_FOR = "interval '10 minutes'";

/** Who is signed in, and what they may do in the merchant that was asked for: no role, no merchant. */
export type UserSession = {
  session_id: string;
  user_id: string;
  name: string;
  email: string;
  two_factor_enabled: boolean;
  has_password: boolean;
  /** Null once it is over. */
  recently_authenticated_until: string | null;
  role: MemberRole | null;
  merchant_name: string | null;
};

/** Session, membership and role in one statement, at every call: a removal or a sign-out holds from the next call on. */
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

/** Notes that the person has given the password or a code just now. */
export async function confirmSession(pool: Pool, sessionId: string): Promise<string | undefined> {
  const [confirmed] = await confirm(pool, [sessionId]);
  return confirmed?.recently_authenticated_until;
}

const keep = statement(`
  update sessions s set confirmed_at = coalesce($2::timestamptz, clock_timestamp()) - ${RECENT_FOR}
  from users u where s.token = $1 and u.id = s.user_id and u.two_factor_enabled`);

/** A session that took the place of another: with a second factor on it counts as recently authenticated until the other one did, or not at all. */
export const carryOverAuthentication = async (pool: Pool, token: string, recentlyAuthenticatedUntil: string | null) =>
  void (await keep(pool, [token, recentlyAuthenticatedUntil]));

const stillAllowed = statement<{ nth: number }>(`
  select asked.nth::int as nth
  from unnest($1::text[], $2::text[]) with ordinality as asked (token, merchant_id, nth)
  join sessions s on s.token = asked.token and s.expires_at > clock_timestamp()
  join members m on m.user_id = s.user_id and m.merchant_id = asked.merchant_id`);

/** Which of these, by their place, still have their session and belong to the merchant. */
export async function findStillAllowed(
  pool: Pool,
  asked: { token: string; merchantId: string }[],
): Promise<Set<number>> {
  const rows = await stillAllowed(pool, [asked.map(({ token }) => token), asked.map(({ merchantId }) => merchantId)]);
  return new Set(rows.map(({ nth }) => nth - 1));
}

const deleteSession = statement("delete from sessions where token = $1");

/** Ends a session that another one takes the place of. */
export const endSession = async (pool: Pool, token: string) => void (await deleteSession(pool, [token]));

const memberships = statement<Membership>(`
  select m.merchant_id, b.name, m.role, b.verified_at from members m join businesses b on b.id = m.merchant_id
  where m.user_id = $1 order by b.name, m.merchant_id limit 200`);

export type Membership = { merchant_id: string; name: string; role: MemberRole; verified_at: string | null };

export const listMemberships = (pool: Pool, userId: string): Promise<Membership[]> => memberships(pool, [userId]);

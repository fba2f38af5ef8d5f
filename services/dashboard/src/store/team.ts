import type { MemberRole } from "@collect/contracts";
import { type Pool, type Session, statement, type Transaction } from "@collect/database";
import type { z } from "zod";
import type { Invitation, TeamMember } from "../calls/answers.ts";
import { rolesBeyond } from "../domain/role.ts";

/** The members of a team, and its invitations. */

export type MemberRow = z.infer<typeof TeamMember>;

const list = statement<MemberRow>(`
  select m.user_id, u.name, u.email, m.role, u.two_factor_enabled, m.joined_at
  from members m join users u on u.id = m.user_id where m.merchant_id = $1 order by m.joined_at, m.user_id limit 500`);

export const listMembers = (pool: Pool, merchantId: string): Promise<MemberRow[]> => list(pool, [merchantId]);

const lock = statement<{ user_id: string; role: MemberRole }>(
  "select user_id, role from members where merchant_id = $1 order by user_id for update",
);

/** Locks the whole team, so that of two owners who concurrently change each other's role the second sees the first's change. */
export async function lockTeam(tx: Transaction, merchantId: string): Promise<{ userId: string; role: MemberRole }[]> {
  const rows = await lock(tx, [merchantId]);
  return rows.map(({ user_id, role }) => ({ userId: user_id, role }));
}

/** Also revokes the member's invitations to roles that may do more than the new one. */
const setRole = statement(`
  with uninvited as (delete from invitations where merchant_id = $1 and invited_by = $2 and role = any ($4::text[]))
  update members set role = $3 where merchant_id = $1 and user_id = $2`);
export const updateRole = async (tx: Transaction, merchantId: string, userId: string, role: MemberRole) =>
  void (await setRole(tx, [merchantId, userId, role, rolesBeyond(role)]));

/** Also revokes the member's invitations. */
const remove = statement(`
  with uninvited as (delete from invitations where merchant_id = $1 and invited_by = $2)
  delete from members where merchant_id = $1 and user_id = $2`);
export const deleteMember = async (tx: Transaction, merchantId: string, userId: string) =>
  void (await remove(tx, [merchantId, userId]));

const add = statement<{ user_id: string }>(`
  insert into members (merchant_id, user_id, role) values ($1, $2, $3)
  on conflict (merchant_id, user_id) do nothing returning user_id`);

/** False for an existing member, who keeps their role. */
export async function insertMember(
  session: Session,
  member: { merchantId: string; userId: string; role: MemberRole },
): Promise<boolean> {
  return (await add(session, [member.merchantId, member.userId, member.role])).length > 0;
}

const roleSince = statement<{ since: string }>(`
  select greatest(m.joined_at, max(f.until)) as since
  from members m left join former_roles f
    on f.merchant_id = m.merchant_id and f.user_id = m.user_id and f.role <> all ($3::text[])
  where m.merchant_id = $1 and m.user_id = $2 and m.role = any ($3::text[])
  group by m.joined_at`);

/** Since when the member has had one of these roles, without interruption; undefined for who has none of them. */
export async function findRoleSince(
  pool: Pool,
  { merchantId, userId, roles }: { merchantId: string; userId: string; roles: MemberRole[] },
): Promise<string | undefined> {
  return (await roleSince(pool, [merchantId, userId, roles]))[0]?.since;
}

const findEmail = statement<{ email: string }>(
  "select email from members m join users u on u.id = m.user_id where m.merchant_id = $1 and m.user_id = $2",
);

export async function findMemberEmail(pool: Pool, merchantId: string, userId: string): Promise<string | undefined> {
  const [member] = await findEmail(pool, [merchantId, userId]);
  return member?.email;
}

// ---- invitations ----

const findInvited = statement<{ email: string }>("select email from invitations where merchant_id = $1 and id = $2");

export async function findInvitedEmail(pool: Pool, merchantId: string, id: string): Promise<string | undefined> {
  const [invitation] = await findInvited(pool, [merchantId, id]);
  return invitation?.email;
}

export type InvitationRow = z.infer<typeof Invitation>;

const pending = statement<InvitationRow>(`
  select id, email, role, expires_at from invitations
  where merchant_id = $1 and expires_at > clock_timestamp() order by expires_at desc, id limit 200`);

export const listInvitations = (pool: Pool, merchantId: string): Promise<InvitationRow[]> =>
  pending(pool, [merchantId]);

const invite = statement<{ expires_at: string | null; is_member: boolean; pending: number }>(`
  with known as (
    select exists (select from members m join users u on u.id = m.user_id where m.merchant_id = $2 and u.email = $3) as is_member,
      (select count(*)::int from (select from invitations where merchant_id = $2 and email <> $3 and expires_at > clock_timestamp() limit $7) as others)
        as pending
  ), invited as (
    insert into invitations (id, merchant_id, email, role, token_hash, invited_by, mailed, expires_at)
    select $1, $2, $3, $4, $5, $6, $8, clock_timestamp() + interval '7 days' from known where not is_member and pending < $7
    on conflict (merchant_id, email) do update
      set id = excluded.id, role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at,
        mailed = excluded.mailed
    returning expires_at
  )
  select (select expires_at from invited) as expires_at, is_member, pending from known`);

/** Creates an invitation; a newer one to the same address replaces it. `expires_at` is null for a member, or if too many are pending. */
export async function insertInvitation(
  session: Session,
  invitation: {
    id: string;
    merchantId: string;
    email: string;
    role: MemberRole;
    hash: Buffer;
    invitedBy: string;
    pendingMax: number;
    isMailed: boolean;
  },
): Promise<{ expires_at: string | null; is_member: boolean }> {
  const { id, merchantId, email, role, hash, invitedBy, pendingMax, isMailed } = invitation;
  const [invited] = await invite(session, [id, merchantId, email, role, hash, invitedBy, pendingMax, isMailed]);
  if (!invited) throw new Error("an invitation was not answered");
  return invited;
}

const countOne = statement(`
  insert into invitations_sent as i (merchant_id, day, sent) values ($1, (clock_timestamp() at time zone 'utc')::date, 1)
  on conflict (merchant_id) do update set day = excluded.day, sent = case when i.day = excluded.day then i.sent else 0 end + 1
    where i.day < excluded.day or i.sent < $2
  returning true as counted`);

/** Whether the team may send one more invitation today; then it is counted, if the transaction commits. */
export const countInvitation = async (tx: Transaction, merchantId: string, perDay: number): Promise<boolean> =>
  (await countOne(tx, [merchantId, perDay])).length > 0;

const find = statement<{ merchant_id: string; email: string }>(
  "select merchant_id, email from invitations where token_hash = $1 and expires_at > clock_timestamp()",
);
export async function findInvitation(
  session: Session,
  hash: Buffer,
): Promise<{ merchant_id: string; email: string } | undefined> {
  const [found] = await find(session, [hash]);
  return found;
}

const offer = statement<{ business: string; inviter: string; role: MemberRole }>(`
  select b.name as business, u.name as inviter, i.role
  from invitations i join businesses b on b.id = i.merchant_id join users u on u.id = i.invited_by
  where i.token_hash = $1 and i.expires_at > clock_timestamp()`);

/** What an invitation offers, and by whom. */
export const findOffer = async (session: Session, hash: Buffer) => (await offer(session, [hash]))[0];

const take = statement<{ merchant_id: string; role: MemberRole; name: string }>(`
  with taken as (
    delete from invitations where token_hash = $1 and email = $2 and expires_at > clock_timestamp() returning merchant_id, role, mailed
  ), proven as (
    update users set email_verified = true, updated_at = clock_timestamp()
    where email = $2 and not email_verified and (select mailed from taken)
  )
  select merchant_id, role, name from taken join businesses b on b.id = merchant_id`);

/** Deletes and returns an accepted invitation, which proves the address if it was mailed; of two concurrent acceptances one gets nothing. */
export async function takeInvitation(
  tx: Transaction,
  hash: Buffer,
  email: string,
): Promise<{ merchant_id: string; role: MemberRole; name: string } | undefined> {
  const [taken] = await take(tx, [hash, email]);
  return taken;
}

const revoke = statement<{ email: string }>(
  "delete from invitations where merchant_id = $1 and id = $2 returning email",
);
export async function deleteInvitation(session: Session, merchantId: string, id: string): Promise<boolean> {
  return (await revoke(session, [merchantId, id])).length > 0;
}

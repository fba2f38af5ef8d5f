import type { MemberRole } from "@collect/contracts";
import { columns, type Pool, type Session, statement, type Transaction } from "@collect/database";
import type { Client } from "../domain/client.ts";
import type { MailKind } from "../domain/mail-texts.ts";
import type { Notice } from "../domain/notices.ts";

/** A notice about a user goes to the user, one about a merchant to those of its team whom it is for, unless they chose otherwise. */
const take = statement<Notice>(`
  with taken as (
    delete from notices where id = any (array(
      select id from notices where due_at <= clock_timestamp() order by id limit $1 for update skip locked
    )) returning id, key, kind, user_id, merchant_id, detail, at, roles
  )
  select t.id, t.key, t.kind, t.user_id, t.merchant_id, t.detail, t.at, b.name as business, u.email_verified as is_confirmed, u.created_at < t.at - interval '1 minute' as is_settled,
    case when u.id is not null then array[u.email] else array(
      select o.email from members m join users o on o.id = m.user_id
      where m.merchant_id = t.merchant_id and m.role = any (t.roles)
        and (m.webhook_mails or t.kind not in ('webhook_failing', 'webhook_recovered'))
      order by o.email limit 50
    ) end as recipients
  from taken t left join users u on u.id = t.user_id left join businesses b on b.id = t.merchant_id
  order by t.id`);

/** Takes what is due, oldest first; replicas take different ones. */
export const takeNotices = (tx: Transaction, max: number): Promise<Notice[]> => take(tx, [max]);

const insert = statement(`
  insert into notices (key, kind, user_id, merchant_id, roles, detail, due_at)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 second')
  on conflict (key) do nothing`);

/** About a user, or about a merchant: then it is for these members of the team. */
type About = { userId: string } | { merchantId: string; roles: MemberRole[] };

/** `key` identifies the fact. `heldForS`: until then it can be withdrawn or completed. */
export async function addNotice(
  session: Session,
  notice: { key: string; kind: MailKind; detail?: object; heldForS?: number } & About,
): Promise<void> {
  const { key, kind, detail = {}, heldForS = 0 } = notice;
  const about = "userId" in notice ? [notice.userId, null, ["owner"]] : [null, notice.merchantId, notice.roles];
  await insert(session, [key, kind, ...about, detail, heldForS]);
}

export type TeamNotice = { key: string; kind: MailKind; merchant_id: string; roles: MemberRole[]; detail: object };

const insertMany = statement(`
  insert into notices (key, kind, merchant_id, roles, detail)
  select key, kind, merchant_id, array(select jsonb_array_elements_text(roles)), detail
  from jsonb_to_recordset($1::jsonb) as n (key text, kind text, merchant_id text, roles jsonb, detail jsonb)
  on conflict (key) do nothing`);

export const addTeamNotices = async (session: Session, notices: TeamNotice[]) =>
  void (await insertMany(session, [JSON.stringify(notices)]));

const withdraw = statement("delete from notices where key = $1");
export const withdrawNotice = async (session: Session, key: string) => void (await withdraw(session, [key]));

const release = statement("update notices set due_at = clock_timestamp(), detail = detail || $2::jsonb where key = $1");

/** It is mailed now, with what became known since it was noted. */
export const releaseNotice = async (session: Session, key: string, known: object = {}) =>
  void (await release(session, [key, known]));

const place = statement(`
  update notices set detail = detail || $2::jsonb, due_at = clock_timestamp()
  where user_id = $1 and key is null and due_at > clock_timestamp() and not detail ? 'user_agent'`);

/** The notices that triggers have just written about a user wait to know from where it was done. */
export const placeNotices = async (session: Session, userId: string, from: Client) =>
  void (await place(session, [userId, from]));

const insertDecisions = statement(`
  insert into notices (key, kind, merchant_id, at, detail)
  select key, case when approved then 'verification_approved' else 'verification_returned' end, merchant_id, decided_at,
    jsonb_strip_nulls(jsonb_build_object('reason', reason))
  from (
    select 'verification:' || merchant_id || ':' || decided_at as key, *
    from unnest($1::text[], $2::timestamptz[], $3::boolean[], $4::text[]) as decided (merchant_id, decided_at, approved, reason)
  ) as decisions
  where exists (select from businesses b where b.id = merchant_id)
    and not exists (select from mails where occasion = key)
  on conflict (key) do nothing`);

type Decision = { merchant_id: string; decided_at: string; approved: boolean; reason: string | null };

/** Those that no mail is about yet. */
export async function addDecisions(pool: Pool, decisions: Decision[]): Promise<void> {
  if (decisions.length > 0)
    await insertDecisions(pool, columns(decisions, "merchant_id", "decided_at", "approved", "reason"));
}

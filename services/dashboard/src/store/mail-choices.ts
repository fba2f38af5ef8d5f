import type { MemberRole } from "@collect/contracts";
import { columns, type Session, statement, type Transaction } from "@collect/database";
import type { ReportEvery } from "../domain/report-schedule.ts";

/** What a member chose of the mails about a business. */
export type MailChoice = { webhook: boolean; reports: ReportEvery | null };

const read = statement<MailChoice>(
  "select webhook_mails as webhook, report_every as reports from members where merchant_id = $1 and user_id = $2",
);
export const readMailChoice = async (session: Session, merchantId: string, userId: string): Promise<MailChoice> =>
  (await read(session, [merchantId, userId]))[0] ?? { webhook: false, reports: null };

const choose = statement(`
  update members set webhook_mails = coalesce($3, webhook_mails),
    report_every = case when $4 then $5 else report_every end,
    report_due_at = case when $4 and report_every is distinct from $5 then $6 else report_due_at end
  where merchant_id = $1 and user_id = $2`);

/** The same choice again changes nothing, so that it neither brings a report forward nor skips one. */
export async function setMailChoice(
  session: Session,
  { merchantId, userId }: { merchantId: string; userId: string },
  {
    webhook,
    reports,
  }: { webhook?: boolean | undefined; reports?: { every: ReportEvery | null; dueAt: Date | null } | undefined },
): Promise<void> {
  await choose(session, [merchantId, userId, webhook, reports !== undefined, reports?.every, reports?.dueAt]);
}

export type DueReport = {
  merchant_id: string;
  user_id: string;
  role: MemberRole;
  every: ReportEvery;
  email: string;
  business: string;
  is_verified: boolean;
  now: string;
};

const due = statement<DueReport>(`
  select m.merchant_id, m.user_id, m.role, m.report_every as every, u.email, b.name as business,
    b.verified_at is not null as is_verified, clock_timestamp() as now
  from members m join users u on u.id = m.user_id join businesses b on b.id = m.merchant_id
  where m.report_due_at <= now() order by m.report_due_at limit $1
  for update of m skip locked`);

/** Takes members whose report is due until the transaction ends; replicas take different ones. */
export const takeDueReports = (tx: Transaction, max: number): Promise<DueReport[]> => due(tx, [max]);

const postpone = statement(`
  update members m set report_due_at = next.due_at
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as next (merchant_id, user_id, due_at)
  where m.merchant_id = next.merchant_id and m.user_id = next.user_id`);

type Next = { merchant_id: string; user_id: string; due_at: Date };
export const postponeReports = async (tx: Transaction, next: Next[]): Promise<void> =>
  void (await postpone(tx, columns(next, "merchant_id", "user_id", "due_at")));

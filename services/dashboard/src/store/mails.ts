import { columns, type Pool, type Session, statement } from "@collect/database";

export type Mail = { occasion: string; recipient: string; kind: string; detail: object };
export type ClaimedMail = Mail & { attempts: number };

const insert = statement(`
  insert into mails (occasion, recipient, kind, detail)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])
  on conflict (occasion, recipient) do nothing`);

/** Queues mails with the transaction. The same occasion is mailed to a recipient once. */
export async function queueMails(session: Session, mails: Mail[]): Promise<void> {
  if (mails.length > 0) await insert(session, columns(mails, "occasion", "recipient", "kind", "detail"));
}

/** Longer than sending takes at most: only a mail whose process died is claimed again. */
const LEASE = "interval '3 minutes'";

const claim = statement<ClaimedMail>(`
  update mails m set attempts = m.attempts + 1, due_at = clock_timestamp() + ${LEASE}
  from (select occasion, recipient from mails where due_at <= clock_timestamp() order by due_at limit $1 for update skip locked) as due
  where m.occasion = due.occasion and m.recipient = due.recipient
  returning m.occasion, m.recipient, m.kind, m.detail, m.attempts`);

/** Claims what is due, for the length of the lease; replicas claim different mails. */
export const claimMails = (pool: Pool, max: number): Promise<ClaimedMail[]> => claim(pool, [max]);

const noteSent = statement(
  "update mails set sent_at = clock_timestamp(), due_at = null, failure = null where occasion = $1 and recipient = $2",
);
export const markSent = async (pool: Pool, { occasion, recipient }: Mail) =>
  void (await noteSent(pool, [occasion, recipient]));

const noteFailure = statement(`
  update mails set due_at = clock_timestamp() + $3 * interval '1 second', failure = $4
  where occasion = $1 and recipient = $2 and sent_at is null`);

/** `retryAfterS` null: it is given up. */
export const markFailed = async (
  pool: Pool,
  { occasion, recipient, retryAfterS, failure }: Mail & { retryAfterS: number | null; failure: string },
) => void (await noteFailure(pool, [occasion, recipient, retryAfterS, failure.slice(0, 500)]));

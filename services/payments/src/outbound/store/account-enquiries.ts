import type { MerchantScope, RequestContext } from "@collect/contracts";
import { type Pool, type Session, statement, transaction } from "@collect/database";

/** The log of name enquiries, from which the budgets are counted: durable, and shared by all replicas. */

export type Purpose = "enquiry" | "order" | "file";
export type EnquiryAnswer = "named" | "unresolved" | "failed";
export type NewEnquiry = {
  merchant: MerchantScope;
  account: { bank_code: string; account_number: string };
  /** By which a later order to it is recognized: `accountKey` of reference.ts. */
  accountKey: string;
  context: RequestContext;
};

/** How long the budget is spent: undefined while it is not, otherwise the seconds until one more is allowed. */
const spent = statement<{ seconds: number }>(`
  select greatest(ceil(extract(epoch from created_at + interval '60 minutes' - clock_timestamp())), 1)::integer as seconds
  from account_enquiries
  where merchant_id = $1 and purpose = $2 and created_at > clock_timestamp() - interval '60 minutes'
  order by created_at desc offset $3 - 1 limit 1`);

export async function secondsUntilAllowed(
  session: Session,
  { merchantId, purpose, perHour }: { merchantId: string; purpose: Purpose; perHour: number },
): Promise<number | undefined> {
  const [last] = await spent(session, [merchantId, purpose, perHour]);
  return last?.seconds;
}

const lock = statement("select pg_advisory_xact_lock(hashtextextended('account enquiries of ' || $1, 0))");

const insert = statement<{ id: bigint }>(`
  insert into account_enquiries (merchant_id, mode, purpose, bank_code, last_four, actor, request_id, answer, account_key)
  values ($1, $2, $3, $4, right($5, 4), $6, $7, $8, $9) returning id`);

const valuesOf = (
  { merchant, account, accountKey, context }: NewEnquiry,
  purpose: Purpose,
  answer: EnquiryAnswer | null,
) => [
  merchant.id,
  merchant.mode,
  purpose,
  account.bank_code,
  account.account_number,
  context.actor,
  context.requestId,
  answer,
  accountKey,
];

/**
 * Records an enquiry within the merchant's budget, before the bank is asked, or, with its answer, before the name is shown;
 * otherwise nothing is recorded, and `retryAfterS` says when one more is allowed. Enquiries of one merchant queue on a lock,
 * so the count is exact.
 */
export async function beginEnquiry(
  pool: Pool,
  enquiry: NewEnquiry,
  { perHour, answer = null }: { perHour: number; answer?: EnquiryAnswer | null },
): Promise<{ id: bigint } | { retryAfterS: number }> {
  return transaction(pool, async (tx) => {
    const merchantId = enquiry.merchant.id;
    await lock(tx, [merchantId]);
    const retryAfterS = await secondsUntilAllowed(tx, { merchantId, purpose: "enquiry", perHour });
    if (retryAfterS !== undefined) return { retryAfterS };
    const [begun] = await insert(tx, valuesOf(enquiry, "enquiry", answer));
    if (!begun) throw new Error("an enquiry was not recorded");
    return begun;
  });
}

const update = statement("update account_enquiries set answer = $2 where id = $1");
export const recordAnswer = async (pool: Pool, id: bigint, answer: EnquiryAnswer) =>
  void (await update(pool, [id, answer]));

/** Records that an order named an account that does not exist. */
export const recordFailedOrder = async (pool: Pool, enquiry: NewEnquiry) =>
  void (await insert(pool, valuesOf(enquiry, "order", "unresolved")));

/** Records that the check of a file asks for an account, before the bank is asked. */
export async function recordFileEnquiry(pool: Pool, enquiry: NewEnquiry): Promise<bigint> {
  const [begun] = await insert(pool, valuesOf(enquiry, "file", null));
  if (!begun) throw new Error("an enquiry was not recorded");
  return begun.id;
}

const knows = statement<{ knows: boolean }>(`
  select exists (
      select from transfers
      where account_number = $4 and merchant_id = $1 and mode = $2 and step not in ('created', 'refused') and bank_code = $3
        and status = 'success' and amount >= $5
    ) or exists (
      select from account_enquiries
      where merchant_id = $1 and purpose = 'enquiry' and created_at > clock_timestamp() - interval '60 minutes'
        and account_key = $6 and answer = 'named'
    ) as knows`);

/** Whether the merchant has paid this much to the account, or was given its holder's name within the hour. */
export async function knowsHolder(
  session: Session,
  { merchant, account, accountKey }: NewEnquiry,
  paidFrom: bigint,
): Promise<boolean> {
  const { bank_code, account_number } = account;
  const [row] = await knows(session, [merchant.id, merchant.mode, bank_code, account_number, paidFrom, accountKey]);
  return row?.knows ?? false;
}

const deleteOld = statement<{ id: bigint }>(`
  delete from account_enquiries where id = any (array(
    select id from account_enquiries where created_at < clock_timestamp() - $1 * interval '1 day'
    order by created_at limit $2 for update skip locked))
  returning id`);

export const deleteEnquiries = async (pool: Pool, { days, max }: { days: number; max: number }): Promise<number> =>
  (await deleteOld(pool, [days, max])).length;

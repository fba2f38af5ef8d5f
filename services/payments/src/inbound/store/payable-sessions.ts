import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";

/** The fields of a session that a simulated payment needs. */
export type PayableSession = {
  reference: string;
  accountNumber: string | null;
  amount: bigint;
  amountReceived: bigint;
  isOpen: boolean;
};

const IS_OPEN = `(s.status in ('pending', 'processing') and s.expires_at > time_of(s.merchant_id, s.mode)
  or s.status = 'underpaid' and s.watch_until > time_of(s.merchant_id, s.mode))`;
const COLUMNS = `s.reference, s.account_number as "accountNumber", s.amount, s.amount_received as "amountReceived",
  ${IS_OPEN} as "isOpen"`;

const byReference = statement<PayableSession>(
  `select ${COLUMNS} from sessions s where s.merchant_id = $1 and s.mode = $2 and s.reference = $3`,
);

const byAccount = statement<PayableSession>(`
  select ${COLUMNS} from sessions s
  where s.merchant_id = $1 and s.mode = $2 and s.account_number = $3 and s.is_customer_account
    and s.status in ('pending', 'processing', 'underpaid') and ${IS_OPEN}
  order by ($4 and s.status = 'underpaid'), s.created_at desc limit 1`);

const byAmount = statement<PayableSession>(`
  select ${COLUMNS} from collection_accounts a cross join lateral (
    select * from sessions
    where mode = $2 and account_number = a.account_number and amount = $3
    order by coalesce(quoted_at, created_at) desc limit 1
  ) s
  where a.merchant_id = $1 and a.mode = $2 and ${IS_OPEN}
  order by coalesce(s.quoted_at, s.created_at) desc limit 1`);

export type PayableBy = { reference: string } | { account_number: string; to_expire: boolean } | { amount: bigint };

/**
 * By reference in any state; by account the newest open session of a customer (an underpaid one does not expire); by
 * amount the newest open session on a collection account.
 */
export async function findPayable(
  tx: Session,
  merchant: MerchantScope,
  by: PayableBy,
): Promise<PayableSession | undefined> {
  const scope = [merchant.id, merchant.mode];
  const [session] =
    "reference" in by
      ? await byReference(tx, [...scope, by.reference])
      : "account_number" in by
        ? await byAccount(tx, [...scope, by.account_number, by.to_expire])
        : await byAmount(tx, [...scope, by.amount]);
  return session;
}

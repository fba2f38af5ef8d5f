import type { MerchantScope } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";
import type { AccountRow } from "./customer-accounts.ts";

export type ListedAccount = Omit<AccountRow, "issue_request_id"> & { retired_at: string | null };

const COLUMNS =
  "a.id, a.mode, a.customer_reference, a.customer_name, a.account_number, a.account_name, a.bank_name, a.status, a.created_at, a.retired_at";

/** Pending accounts are in no list: the bank has not opened them yet. */
type Listing = { statuses: ("active" | "retired")[]; limit: number };

// Each status is a walk of its own, however few accounts have one. It is written as a range of places, because only the
// index that begins with the status gives that order: with a plain equality the one without it may be taken, and all other
// accounts be read past (180 ms for 10 retired ones of 1,000,000, and so 0.2 ms).
const list = statement<ListedAccount>(`
  select account.* from unnest($3::text[]) as wanted (status)
  cross join lateral (
    select ${COLUMNS} from customer_accounts a
    where a.merchant_id = $1 and a.mode = $2 and a.account_number is not null and a.status >= wanted.status
      and (a.status, a.created_at, a.id) < (wanted.status, coalesce($4::timestamptz, 'infinity'), coalesce($5::text, ''))
    order by a.status desc, a.created_at desc, a.id desc limit $6
  ) as account
  order by account.created_at desc, account.id desc limit $6`);

/** Accounts behind a place, newest first. */
export function listByAge(
  pool: Pool,
  merchant: MerchantScope,
  { statuses, after: [createdAt, id], limit }: Listing & { after: string[] },
): Promise<ListedAccount[]> {
  return list(pool, [merchant.id, merchant.mode, statuses, createdAt, id, limit]);
}

/** As the index customer_accounts_by_name has it. */
const NAME = `lower(a.customer_name collate "pg_c_utf8")`;
const PREFIX = `lower($4::text collate "pg_c_utf8")`;
const SCOPE = "a.merchant_id = $1 and a.mode = $2 and a.account_number is not null";
const BEHIND = "(coalesce($5::text, ''), coalesce($6::text, ''))";

// A reference and an account number name one account each, looked up before anything else is asked of it. Names are walked
// in their own order: those that begin alike stand together there, and may be nearly all there are. The walk is from the
// prefix, or the place behind it, up to where no name begins so any more (no character sorts behind the last of Unicode);
// again it is a range of places, for its index. Under a millisecond of 1,000,000, whatever is sought.
const search = statement<ListedAccount & { name: string }>(`
  with found as (
    select ${COLUMNS}, ${NAME} as name
    from (select * from customer_accounts where merchant_id = $1 and mode = $2 and customer_reference = $4 limit 1) as a
    where ${SCOPE} and a.status = any($3::text[])
    union
    select ${COLUMNS}, ${NAME} as name
    from (select * from customer_accounts where mode = $2 and account_number = $4 limit 1) as a
    where ${SCOPE} and a.status = any($3::text[])
    union
    select account.* from unnest($3::text[]) as wanted (status)
    cross join lateral (
      select ${COLUMNS}, ${NAME} as name from customer_accounts a
      where ${SCOPE} and (a.status, ${NAME}) < (wanted.status, ${PREFIX} || chr(1114111))
        and (a.status, ${NAME}, a.id)
          > (wanted.status, greatest($5::text collate "pg_c_utf8", ${PREFIX}), coalesce($6::text, ''))
      order by a.status, ${NAME}, a.id limit $7
    ) as account
  )
  select * from found where (name, id) > ${BEHIND} order by name, id limit $7`);

/** Accounts with this reference, this number or a name that begins so, behind a place, in the order of names. */
export function searchByName(
  pool: Pool,
  merchant: MerchantScope,
  { sought, statuses, after: [name, id], limit }: Listing & { sought: string; after: string[] },
): Promise<(ListedAccount & { name: string })[]> {
  return search(pool, [merchant.id, merchant.mode, statuses, sought, name, id, limit]);
}

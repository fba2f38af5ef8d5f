import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { AccountRow } from "./customer-accounts.ts";

export type ListedAccount = Omit<AccountRow, "issue_request_id"> & { retired_at: string | null };

const COLUMNS =
  "a.id, a.mode, a.customer_reference, a.customer_name, a.account_number, a.account_name, a.bank_name, a.status, a.metadata, a.created_at, a.retired_at";

/** Lists omit pending accounts, which the bank has not opened yet. */
type Listing = { statuses: ("active" | "retired")[]; limit: number };
const SCOPE = "a.merchant_id = $1 and a.mode = $2 and a.account_number is not null";

const list = query<ListedAccount>(`
  select ${COLUMNS} from customer_accounts a
  where ${SCOPE} and a.status = any($3::text[]) and ($4::timestamptz is null or (a.created_at, a.id) < ($4::timestamptz, $5))
  order by a.created_at desc, a.id desc limit $6 offset $7`);

/** The accounts after a cursor or at an offset, newest first. */
export function listByAge(
  pool: Pool,
  merchant: MerchantScope,
  { statuses, after: [createdAt, id], offset = 0, limit }: Listing & { after: string[]; offset?: number },
): Promise<ListedAccount[]> {
  return list(pool, [merchant.id, merchant.mode, statuses, createdAt, id, limit, offset]);
}

/** The expression of the index customer_accounts_by_name. */
const NAME = `lower(a.customer_name collate "pg_c_utf8")`;
const PREFIX = `lower($4::text collate "pg_c_utf8")`;
const afterCursor = (name: string) => `(${NAME}, a.id) > (${name}, coalesce($6::text, ''))`;

// The index orders names within each status, so names with a common prefix are adjacent: the range starts at the prefix, or at
// the cursor after it, and ends before the prefix followed by the last code point of Unicode, which sorts after every other.
const search = query<ListedAccount & { name: string }>(`
  select ${COLUMNS}, ${NAME} as name from customer_accounts a
  where ${SCOPE} and (a.customer_reference = $4 or a.account_number = $4) and a.status = any($3::text[])
    and ${afterCursor("coalesce($5::text, '')")}
  union
  select named.* from unnest($3::text[]) as wanted (status)
  cross join lateral (
    select ${COLUMNS}, ${NAME} as name from customer_accounts a
    where ${SCOPE} and a.status = wanted.status and ${NAME} < ${PREFIX} || chr(1114111)
      and ${afterCursor(`greatest($5::text collate "pg_c_utf8", ${PREFIX})`)}
    order by ${NAME}, a.id limit $7
  ) as named
  order by name, id limit $7`);

/** The accounts with this reference, this number or a name with this prefix, after a cursor, ordered by name. */
export function searchByName(
  pool: Pool,
  merchant: MerchantScope,
  { sought, statuses, after: [name, id], limit }: Listing & { sought: string; after: string[] },
): Promise<(ListedAccount & { name: string })[]> {
  return search(pool, [merchant.id, merchant.mode, statuses, sought, name, id, limit]);
}

import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";
import type { AccountRow } from "./customer-accounts.ts";

export type ListedAccount = Omit<AccountRow, "issue_request_id"> & { retired_at: string | null };

const COLUMNS =
  "a.id, a.mode, a.customer_reference, a.customer_name, a.account_number, a.account_name, a.bank_name, a.status, a.metadata, a.created_at, a.retired_at";

/** Lists omit pending accounts, which the bank has not opened yet. */
const list = query<ListedAccount>(`
  select ${COLUMNS} from customer_accounts a
  where a.merchant_id = $1 and a.mode = $2 and a.account_number is not null and a.status = any($3::text[])
    and ($4::timestamptz is null or (a.created_at, a.id) < ($4::timestamptz, $5))
    and ($8::text[] is null or a.id = any($8)) and ($9::text[] is null or a.customer_reference = any($9))
    and ($10::timestamptz is null or a.created_at >= $10) and ($11::timestamptz is null or a.created_at < $11)
  order by a.created_at desc, a.id desc limit $6 offset $7`);

type Listing = {
  statuses: ("active" | "retired")[];
  after: string[];
  offset?: number;
  limit: number;
  /** The ids that were searched for, and the customers that were selected. */
  ids?: string[] | undefined;
  references?: string[] | undefined;
  /** Created in [from, before). */
  from?: string | undefined;
  before?: string | undefined;
};

const find = query<{ id: string }>("select id from customer_accounts where id = $1 and merchant_id = $2 and mode = $3");

/** Whether the account is this merchant's, in this mode. */
export const isAccountOf = async (pool: Pool, { id: merchantId, mode }: MerchantScope, id: string): Promise<boolean> =>
  (await find(pool, [id, merchantId, mode])).length > 0;

/** The accounts after a cursor or at an offset, newest first. */
export function listByAge(
  pool: Pool,
  merchant: MerchantScope,
  { statuses, after: [createdAt, id], offset = 0, limit, ids, references, from, before }: Listing,
): Promise<ListedAccount[]> {
  return list(pool, [
    merchant.id,
    merchant.mode,
    statuses,
    createdAt,
    id,
    limit,
    offset,
    ids,
    references,
    from,
    before,
  ]);
}

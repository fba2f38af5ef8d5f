import type { MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

/** Payer lists for the dashboard. Fields that the bank did not report are empty strings. */
export type ListedPayer = {
  id: bigint;
  name: string;
  accountNumber: string;
  bankName: string;
  /** Null for a payer whose first collection is not stored yet. */
  firstPaidAt: string | null;
  lastPaidAt: string | null;
};

const COLUMNS = `p.id, p.name, p.account_number as "accountNumber", p.bank_name as "bankName",
  (select min(paid_at) from collections where payer_id = p.id) as "firstPaidAt",
  (select max(paid_at) from collections where payer_id = p.id) as "lastPaidAt"`;
const SCOPE = "p.merchant_id = $1 and p.mode = $2";

const list = query<ListedPayer>(`
  select ${COLUMNS} from payers p
  where ${SCOPE} and ($4::bigint is null or p.id < $4::bigint)
    and ($5::bigint[] is null or p.id = any($5)) and ($6::bigint[] is null or p.id = any($6))
  order by p.id desc limit $3`);

/** A page of a merchant's payers after the payer `after`, newest first: all, or those that are searched for, or were selected. */
export const listPayers = (
  pool: Pool,
  merchant: MerchantScope,
  { limit, after, searched, selected }: PayersAsked,
): Promise<ListedPayer[]> => list(pool, [merchant.id, merchant.mode, limit, after, searched, selected]);

export type PayersAsked = {
  limit: number;
  after?: string | undefined;
  searched?: string[] | undefined;
  selected?: string[] | undefined;
};

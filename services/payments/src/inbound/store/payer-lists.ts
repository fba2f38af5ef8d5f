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

const ofMerchant = query<ListedPayer>(`
  select ${COLUMNS} from payers p where ${SCOPE} and ($4::bigint is null or p.id < $4::bigint) order by p.id desc limit $3`);

/** A page of a merchant's payers after the payer `after`, newest first. */
export const listPayers = (
  pool: Pool,
  merchant: MerchantScope,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ListedPayer[]> => ofMerchant(pool, [merchant.id, merchant.mode, limit, after]);

/** The expression of the index payers_by_name. */
const NAME = `lower(p.name collate "pg_c_utf8")`;
const PREFIX = `lower($5::text collate "pg_c_utf8")`;
/** After the payer `after`, or from `start`. */
const afterCursor = (start: string) => `(${NAME}, p.id) >
  (greatest((select ${NAME} from payers p where p.id = $4::bigint and ${SCOPE}), ${start}), coalesce($4::bigint, 0))`;

// The index orders names, so names with a common prefix are adjacent. The last code point of Unicode sorts after every other.
const found = query<ListedPayer>(`
  select ${COLUMNS} from (
    (select p.* from payers p where ${SCOPE} and p.account_number = $5 and p.account_number <> '' and ${afterCursor("''")}
      order by ${NAME}, p.id limit $3)
    union
    (select p.* from payers p where ${SCOPE} and ${afterCursor(PREFIX)} and ${NAME} < ${PREFIX} || chr(1114111)
      order by ${NAME}, p.id limit $3)
  ) p order by ${NAME}, p.id limit $3`);

/** The payers with this account number or a name with this prefix, after the payer `after`, ordered by name. */
export const searchPayers = (
  pool: Pool,
  merchant: MerchantScope,
  { limit, after, search }: { limit: number; after: string | undefined; search: string },
): Promise<ListedPayer[]> => found(pool, [merchant.id, merchant.mode, limit, after, search]);

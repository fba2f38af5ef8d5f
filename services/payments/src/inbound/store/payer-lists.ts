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

/** A page of a merchant's payers, newest first, behind the payer `after`. */
export const listPayers = (
  pool: Pool,
  merchant: MerchantScope,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ListedPayer[]> => ofMerchant(pool, [merchant.id, merchant.mode, limit, after]);

/** As the index payers_by_name has it. */
const NAME = `lower(p.name collate "pg_c_utf8")`;
const PREFIX = `lower($5::text collate "pg_c_utf8")`;
/** Behind the payer `after`, or where names begin. */
const behind = (start: string) => `(${NAME}, p.id) >
  (greatest((select ${NAME} from payers p where p.id = $4::bigint and ${SCOPE}), ${start}), coalesce($4::bigint, 0))`;

// Names stand in their own order, and those that begin alike stand together there. No character sorts behind the last of Unicode.
const found = query<ListedPayer>(`
  select ${COLUMNS} from (
    (select p.* from payers p where ${SCOPE} and p.account_number = $5 and p.account_number <> '' and ${behind("''")}
      order by ${NAME}, p.id limit $3)
    union
    (select p.* from payers p where ${SCOPE} and ${behind(PREFIX)} and ${NAME} < ${PREFIX} || chr(1114111)
      order by ${NAME}, p.id limit $3)
  ) p order by ${NAME}, p.id limit $3`);

/** Payers with this account number or a name that begins so, behind the payer `after`, in the order of names. */
export const searchPayers = (
  pool: Pool,
  merchant: MerchantScope,
  { limit, after, search }: { limit: number; after: string | undefined; search: string },
): Promise<ListedPayer[]> => found(pool, [merchant.id, merchant.mode, limit, after, search]);

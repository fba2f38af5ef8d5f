import type { MerchantScope } from "@collect/contracts";
import { type Session, statement } from "@collect/database";

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

const PAID = "select paid_at from collections where payer_id = p.id order by paid_at";

/** Rows first: the collections of no others are looked at. */
const withTimes = (rows: string, order: string) =>
  statement<ListedPayer>(`
  with page as materialized (${rows})
  select p.id, p.name, p.account_number as "accountNumber", p.bank_name as "bankName", first.paid_at as "firstPaidAt",
    last.paid_at as "lastPaidAt"
  from page p left join lateral (${PAID} asc limit 1) first on true left join lateral (${PAID} desc limit 1) last on true
  order by ${order}`);

const SCOPE = "p.merchant_id = $1 and p.mode = $2";

const ofMerchant = withTimes(
  `select p.* from payers p where ${SCOPE} and p.id < coalesce($4::bigint, 9223372036854775807) order by p.id desc limit $3`,
  "p.id desc",
);

/** A page of a merchant's payers, newest first, behind the payer `after`. */
export const listPayers = (
  tx: Session,
  merchant: MerchantScope,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ListedPayer[]> => ofMerchant(tx, [merchant.id, merchant.mode, limit, after]);

/** As the index payers_by_name has it. */
const NAME = `lower(p.name collate "pg_c_utf8")`;
const PREFIX = `lower($5::text collate "pg_c_utf8")`;
/** Behind the payer `after`, or where the walk begins. */
const behind = (start: string) => `(${NAME}, p.id) >
  (coalesce((select ${NAME} from payers p where p.id = $4::bigint and ${SCOPE}), ${start}), coalesce($4::bigint, 0))`;

// Names are walked in their own order: those that begin alike stand together there, and may be nearly all there are. No
// character sorts behind the last of Unicode.
const found = withTimes(
  `select p.* from (
    (select p.* from payers p where p.account_number = $5 and p.account_number <> '' and ${SCOPE} and ${behind("''")}
      order by ${NAME}, p.id limit $3)
    union
    (select p.* from payers p where ${SCOPE} and ${behind(PREFIX)} and ${NAME} < ${PREFIX} || chr(1114111)
      order by ${NAME}, p.id limit $3)
  ) p order by ${NAME}, p.id limit $3`,
  `${NAME}, p.id`,
);

/** Payers with this account number or a name that begins so, behind the payer `after`, in the order of names. */
export const searchPayers = (
  tx: Session,
  merchant: MerchantScope,
  { limit, after, search }: { limit: number; after: string | undefined; search: string },
): Promise<ListedPayer[]> => found(tx, [merchant.id, merchant.mode, limit, after, search]);

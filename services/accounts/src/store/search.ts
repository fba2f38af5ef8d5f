import { FOUND_MAX, type MerchantScope, SEARCHED_MAX } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

export type FoundCustomer = {
  customer_reference: string;
  customer_name: string;
  account_number: string;
  status: "active" | "retired";
};

/** Lists omit accounts that the bank has not opened yet. */
const OWN = "merchant_id = $1 and mode = $2 and account_number is not null";
/** Begins with what was typed, in lower case: the last code point of Unicode sorts after every other. */
const LOWER = `lower($3::text collate "pg_c_utf8")`;
const begins = (name: string, max: number) =>
  `${name} >= ${LOWER} and ${name} < ${LOWER} || chr(1114111) order by ${name} limit ${max}`;
const wordBegins = (word: 2 | 3, max: number) => {
  const words = `words_from(customer_name, ${word}) collate "pg_c_utf8"`;
  return `${words} <> '' and ${begins(words, max)}`;
};

// Each branch reads at most `max` rows in the order of one index, so that a common name costs as much as a rare one. The index on
// names has the status before the name. That on metadata reads all that match, and 200 are enough; its terms have merchant and mode.
const branches = (max: number) => `
    (select id from customer_accounts where ${OWN} and customer_reference >= $3 and customer_reference < $3 || chr(1114111)
      and starts_with(customer_reference, $3) order by customer_reference limit ${max})
    union (select id from customer_accounts where ${OWN} and account_number = $3)
    union select a.* from unnest(array['active', 'retired']) as wanted (status) cross join lateral (
      select id from customer_accounts
      where ${OWN} and status = wanted.status and ${begins(`lower(customer_name collate "pg_c_utf8")`, max)}) a
    union (select id from customer_accounts where ${OWN} and ${wordBegins(2, max)})
    union (select id from customer_accounts where ${OWN} and ${wordBegins(3, max)})
    union (select id from customer_accounts
      where metadata <> '{}' and metadata_terms(merchant_id, mode, metadata) @> metadata_terms($1, $2, jsonb_build_object('', $3::text))
      limit ${Math.max(max, 200)})`;

const search = query<FoundCustomer>(`
  with found as (${branches(FOUND_MAX)})
  select customer_reference, customer_name, account_number, status from customer_accounts
  where ${OWN} and status <> 'pending' and id in (select id from found) order by created_at desc, id desc limit ${FOUND_MAX}`);

/** The few newest customer accounts for a text, for the dashboard's search. */
export const findCustomers = (pool: Pool, { id, mode }: MerchantScope, text: string): Promise<FoundCustomer[]> =>
  search(pool, [id, mode, text]);

const ids = query<{ id: string }>(`select id from (${branches(SEARCHED_MAX + 1)}) as found limit ${SEARCHED_MAX + 1}`);

/** The ids of the accounts that a text names, for their list, and whether it names more. */
export async function searchCustomers(pool: Pool, { id, mode }: MerchantScope, text: string) {
  const found = await ids(pool, [id, mode, text]);
  return { ids: found.slice(0, SEARCHED_MAX).map((row) => row.id), isPartial: found.length > SEARCHED_MAX };
}

import { FOUND_MAX, type MerchantScope } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

export type FoundCustomer = {
  customer_reference: string;
  customer_name: string;
  account_number: string;
  status: "active" | "retired";
};

/** Lists omit accounts that the bank has not opened yet. */
const OWN = "merchant_id = $1 and mode = $2 and account_number is not null";
const MAX = `limit ${FOUND_MAX}`;
/** Begins with what was typed, in lower case: the last code point of Unicode sorts after every other. */
const LOWER = `lower($3::text collate "pg_c_utf8")`;
const begins = (name: string) => `${name} >= ${LOWER} and ${name} < ${LOWER} || chr(1114111) order by ${name} ${MAX}`;
const wordBegins = (word: 2 | 3) => {
  const words = `words_from(customer_name, ${word}) collate "pg_c_utf8"`;
  return `${words} <> '' and ${begins(words)}`;
};

// Each branch reads at most FOUND_MAX rows in the order of one index, so that a common name costs as much as a rare one. The index on
// names has the status before the name. That on metadata reads all that match, and 200 are enough; its terms have merchant and mode.
const search = query<FoundCustomer>(`
  with found as (
    (select id from customer_accounts where ${OWN} and customer_reference >= $3 and customer_reference < $3 || chr(1114111)
      and starts_with(customer_reference, $3) order by customer_reference ${MAX})
    union (select id from customer_accounts where ${OWN} and account_number = $3)
    union select a.* from unnest(array['active', 'retired']) as wanted (status) cross join lateral (
      select id from customer_accounts where ${OWN} and status = wanted.status and ${begins(`lower(customer_name collate "pg_c_utf8")`)}) a
    union (select id from customer_accounts where ${OWN} and ${wordBegins(2)})
    union (select id from customer_accounts where ${OWN} and ${wordBegins(3)})
    union (select id from customer_accounts
      where metadata <> '{}' and metadata_terms(merchant_id, mode, metadata) @> metadata_terms($1, $2, jsonb_build_object('', $3::text))
      limit 200)
  )
  select customer_reference, customer_name, account_number, status from customer_accounts
  where ${OWN} and status <> 'pending' and id in (select id from found) order by created_at desc, id desc ${MAX}`);

/** The few newest customer accounts for a text, for the dashboard's search. */
export const findCustomers = (pool: Pool, { id, mode }: MerchantScope, text: string): Promise<FoundCustomer[]> =>
  search(pool, [id, mode, text]);

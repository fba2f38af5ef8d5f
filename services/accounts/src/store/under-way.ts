import type { Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";

export type AccountBefore = { mode: Mode; account_number: string; before: string };
type Account = { mode: Mode; account_number: string };

/** The limit keeps each account a look-up of its own: otherwise a plan made while nothing is unfinished reads all that is. */
const underWay = statement<Account>(`
  select distinct a.mode, a.account_number
  from unnest($1::text[], $2::text[], $3::timestamptz[]) as a (mode, account_number, before)
  cross join lateral (
    select from inbound_transfers t
    where t.mode = a.mode and t.account_number = a.account_number and t.received_at < a.before and t.completed_at is null
    limit 1) as under_way`);

/** Which of the accounts got money before the time given that has not come to the end of its path. */
export const accountsUnderWay = (pool: Pool, accounts: AccountBefore[]): Promise<Account[]> =>
  underWay(pool, columns(accounts, "mode", "account_number", "before"));

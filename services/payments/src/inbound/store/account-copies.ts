import { ERASED, IssuedAccount } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import { keptSince } from "./kept-copies.ts";

/** Copies of the accounts that the accounts service issued. Only an accounts service that lost them reads these. */

/** A copy that was sent before the customer was erased, and arrives afterwards, does not bring the name back. */
const keep = statement(`
  insert into account_copies as known (id, copy) select * from unnest($1::text[], $2::jsonb[]) as c (id, copy) order by id
  on conflict (id) do update set copy = excluded.copy, kept_at = clock_timestamp()
    where known.copy ->> 'account_name' <> '${ERASED}' or excluded.copy ->> 'account_name' = '${ERASED}'`);

export async function keepCopies(pool: Pool, accounts: IssuedAccount[]): Promise<void> {
  const rows = accounts.map((account) => ({ id: account.id, copy: JSON.stringify(account) }));
  await keep(pool, columns(rows, "id", "copy"));
}

const list = keptSince<unknown>("account_copies");

export async function copiesSince(...page: Parameters<typeof list>) {
  const { rows, next } = await list(...page);
  return { rows: rows.map((copy) => IssuedAccount.parse(copy)), next };
}

import { IssuedAccount } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";
import { type ChangeCursor, nextCursor, START } from "../../domain/change-cursor.ts";

/** Copies of the accounts that the accounts service issued. Only an accounts service that lost them reads these. */

const keep = statement(`
  insert into account_copies (id, copy) select * from unnest($1::text[], $2::jsonb[]) as c (id, copy) order by id
  on conflict (id) do update set copy = excluded.copy, kept_at = clock_timestamp()`);

export async function keepCopies(pool: Pool, accounts: IssuedAccount[]): Promise<void> {
  const rows = accounts.map((account) => ({ id: account.id, copy: JSON.stringify(account) }));
  await keep(pool, columns(rows, "id", "copy"));
}

const list = statement<{ id: string; copy: unknown; at: string }>(`
  select id, copy, to_char(kept_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
  from account_copies where kept_at >= $1 and (kept_at, id) > ($2::timestamptz, $3) order by kept_at, id limit $4`);

export async function copiesSince(
  pool: Pool,
  { since, after, limit }: { since: string; after: ChangeCursor | null; limit: number },
): Promise<{ rows: IssuedAccount[]; next: ChangeCursor | null }> {
  const { at, key } = after ?? START;
  const rows = await list(pool, [since, at, key, limit]);
  return { rows: rows.map(({ copy }) => IssuedAccount.parse(copy)), next: nextCursor(rows, limit, ({ id }) => id) };
}

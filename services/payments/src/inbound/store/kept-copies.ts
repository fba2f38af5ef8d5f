import { type Pool, statement } from "@collect/database";
import { type ChangeCursor, nextCursor, START } from "../../domain/change-cursor.ts";

/** A page of the copies that are kept here for accounts, by the time at which they were kept, oldest first. */
export function keptSince<Copy>(table: "account_copies" | "erasure_copies") {
  const list = statement<{ id: string; copy: Copy; at: string }>(`
    select id, copy, to_char(kept_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at
    from ${table} where kept_at >= $1 and (kept_at, id) > ($2::timestamptz, $3) order by kept_at, id limit $4`);
  return async (
    pool: Pool,
    { since, after, limit }: { since: string; after: ChangeCursor | null; limit: number },
  ): Promise<{ rows: Copy[]; next: ChangeCursor | null }> => {
    const { at, key } = after ?? START;
    const rows = await list(pool, [since, at, key, limit]);
    return { rows: rows.map(({ copy }) => copy), next: nextCursor(rows, limit, ({ id }) => id) };
  };
}

import { type Pool, statement } from "@collect/database";

type OldEntry = { id: bigint; merchant_id: string; action: string; detail: unknown; request_id: string; at: string };

/** Those that are not in the chains yet. */
const uncopied = statement<OldEntry>(`
  select id, merchant_id, action, detail, request_id, at from audit_log
  where id > $1 and not exists (select from audit_entries where key = 'gateway:' || id) order by id limit $2`);

export const oldEntriesAfter = (pool: Pool, after: bigint, rows: number) => uncopied(pool, [after, rows]);

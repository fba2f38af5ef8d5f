import type { Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";

export type Span = { key: string; mode: Mode; account_number: string; from: string; before: string };

/** The limit keeps each span a look-up of its own: otherwise a plan made while nothing is unfinished reads all that is. */
const underWay = statement<{ key: string }>(`
  select distinct s.key
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
    as s (key, mode, account_number, since, before)
  cross join lateral (
    select from inbound_transfers t
    where t.mode = s.mode and t.account_number = s.account_number
      and t.received_at >= s.since and t.received_at < s.before and t.completed_at is null
    limit 1) as under_way`);

/** Keys of the spans in which an account got money that has not come to the end of its path. */
export async function spansUnderWay(pool: Pool, spans: Span[]): Promise<string[]> {
  const rows = await underWay(pool, columns(spans, "key", "mode", "account_number", "from", "before"));
  return rows.map(({ key }) => key);
}

import type { Mode } from "@collect/contracts";
import { columns, type Pool, statement } from "@collect/database";

export type Span = { key: string; mode: Mode; account_number: string; from: string; before: string };

/** The limit forces one lookup per span: otherwise a plan made while nothing was unfinished reads all unfinished rows. */
const inFlight = statement<{ key: string }>(`
  select distinct s.key
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[])
    as s (key, mode, account_number, since, before)
  cross join lateral (
    select from inbound_transfers t
    where t.mode = s.mode and t.account_number = s.account_number
      and t.received_at >= s.since and t.received_at < s.before and t.completed_at is null
    limit 1) as in_flight`);

/** The keys of the spans in which an account received money that is still in flight. */
export async function spansInFlight(pool: Pool, spans: Span[]): Promise<string[]> {
  const rows = await inFlight(pool, columns(spans, "key", "mode", "account_number", "from", "before"));
  return rows.map(({ key }) => key);
}

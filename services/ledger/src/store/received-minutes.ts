import type { Mode } from "@collect/contracts";
import { type Pool, statement } from "@collect/database";

type Row = { mode: Mode; kind: "collection" | "suspense"; minute: string; count: number; sum: bigint };

/**
 * Count and gross sum of what was received in [from, to), by the minute. Money that stood in suspense is counted there and,
 * once it is allocated, as a collection of the same minute too.
 */
const read = statement<Row>(`
  select mode, case kind when 'suspense' then 'suspense' else 'collection' end as kind,
    date_trunc('minute', received_at, 'UTC') as minute, count(*)::integer as count, sum(amount)::bigint as sum
  from transactions where received_at >= $1 and received_at < $2
  group by 1, 2, 3 order by 3, 1, 2`);

export const receivedMinutes = (pool: Pool, { from, to }: { from: string; to: string }): Promise<Row[]> =>
  read(pool, [from, to]);

import type { Mode } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

// `recorded_at` increases with the version, so the last entry before an instant is found by binary search.
const read = query<{ balance: bigint }>(`
  with recursive search (id, n, instant, low, high) as (
    select id, n, instant, 0::bigint, version
    from ledger_accounts cross join unnest($2::timestamptz[]) with ordinality as asked (instant, n)
    where starts_with(id, $1 || ':bank:')
    union all
    select id, n, instant, case when is_before then middle else low end, case when is_before then high else middle - 1 end
    from (select id, n, instant, low, high, (low + high + 1) / 2 as middle from search where low < high) as half
    cross join lateral (
      select recorded_at < instant as is_before from entries where account_id = half.id and account_version = middle
    ) as entry
  )
  select coalesce(sum(balance_after), 0)::bigint as balance
  from generate_series(1, cardinality($2::timestamptz[])) as series (n)
  left join search on search.n = series.n and low = high
  left join entries on account_id = search.id and account_version = low
  group by series.n order by series.n`);

/** The balances of all shards of our bank account together, just before each of these instants. */
export async function bankBalancesBefore(pool: Pool, mode: Mode, instants: string[]): Promise<bigint[]> {
  return (await read(pool, [mode, instants])).map(({ balance }) => balance);
}

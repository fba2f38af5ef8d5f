import type { MerchantScope, Mode } from "@collect/contracts";
import { type Pool, query, statement } from "@collect/database";
import { collected, settled } from "../domain/account.ts";

type Row = { collected: bigint; settled: bigint; sequence: bigint; as_of: string };

// A liability is negative in the ledger and shown as positive.
const read = statement<Row>(`
  select coalesce(sum(-balance) filter (where kind = 'collected'), 0)::bigint as collected,
    coalesce(sum(-balance) filter (where kind = 'settled'), 0)::bigint as settled,
    coalesce(sum(version), 0)::bigint as sequence,
    time_of($2, $3) as as_of
  from ledger_accounts where id = any($1::text[])`);

/** A merchant's balances in one mode, in kobo, and the sequence they were read at. Zero without ledger accounts. */
export async function balanceOf(pool: Pool, merchant: MerchantScope) {
  const [row] = await read(pool, [[collected(merchant), settled(merchant)], merchant.id, merchant.mode]);
  if (!row) throw new Error("an aggregate returned no row");
  return { collected: row.collected, settled: row.settled, as_of: row.as_of, ledger_sequence: Number(row.sequence) };
}

// `recorded_at` increases with the version, so the last entry before an instant is found by binary search.
const bankBefore = query<{ balance: bigint }>(`
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
  return (await bankBefore(pool, [mode, instants])).map(({ balance }) => balance);
}

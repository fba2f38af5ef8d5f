import type { Mode } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

/** By the index, however many the planner expects: of a few transactions among all it knows nothing, and would read every entry. */
const BANK_ENTRIES = (transaction: string) =>
  `select recorded_at, amount from entries where transaction_id = ${transaction} and starts_with(account_id, $1 || ':bank:') offset 0`;

const DAY = (at: string) => `date_bin('1 day', ${at}, '2000-01-01 00:00+01')`;
const COUNTED_AT = "coalesce(received_at, counted_at)";
// As the index has it.
const ON_ANOTHER_DAY = `(${DAY(COUNTED_AT)} <> ${DAY("posted_at")} or date_bin('1 day', posted_at, '2000-01-01 23:59+01') > ${DAY("posted_at")})`;
const lagged = query<{ lag: bigint }>(`
  with other as materialized (
    select id, ${COUNTED_AT} as counted_at from transactions
    where mode = $1 and posted_at >= (select min(instant) - interval '1 day' from unnest($2::timestamptz[]) as asked (instant))
      and ${ON_ANOTHER_DAY}
  ),
  moved as materialized (
    select counted_at, recorded_at, amount
    from other cross join lateral (${BANK_ENTRIES("other.id")}) as entry
  )
  select (
    select coalesce(sum(case when counted_at < instant and recorded_at >= instant then amount
      when counted_at >= instant and recorded_at < instant then -amount end), 0)::bigint from moved
  ) as lag
  from unnest($2::timestamptz[]) with ordinality as asked (instant, n) order by n`);

/** What closed days have moved on the bank, just before an instant. */
const bookedOf = (totals: string) => `(
  select coalesce(sum(amount), 0) from ${totals} cross join lateral (${BANK_ENTRIES(`${totals}.transaction_id`)}) as entry
  where recorded_at < ($2::timestamptz[])[n])`;

// `recorded_at` increases with the version, so the last entry before an instant is found by binary search.
const read = query<{ balance: bigint; charges: bigint; own_funds: bigint }>(`
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
  select (coalesce(sum(balance_after), 0) - min(charged) - min(own))::bigint as balance, -min(charged)::bigint as charges,
    min(own)::bigint as own_funds
  from generate_series(1, cardinality($2::timestamptz[])) as series (n)
  cross join lateral (select ${bookedOf("day_charges")} as charged, ${bookedOf("day_own_funds")} as own) as booked
  left join search on search.n = series.n and low = high
  left join entries on account_id = search.id and account_version = low
  group by series.n order by series.n`);

/**
 * The balances of all shards of our bank account together, just before each of these instants, without the charges and own funds that were booked by
 * then because days were closed with them: those are of other days. A few of them come each day, and all are read, 10 µs each. `counted` has what was
 * recorded on another side of an instant than it counts on, where it counts: the instants are beginnings of days in Lagos.
 */
export async function bankBalancesBefore(pool: Pool, mode: Mode, instants: string[]) {
  const asked = [mode, instants];
  const [rows, lags] = await Promise.all([read(pool, asked), lagged(pool, asked)]);
  return {
    balances: rows.map(({ balance }) => balance),
    charges: rows.map(({ charges }) => charges),
    own_funds: rows.map(({ own_funds }) => own_funds),
    counted: rows.map(({ balance }, n) => balance + (lags[n]?.lag ?? 0n)),
  };
}

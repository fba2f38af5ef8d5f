import type { MerchantScope } from "@collect/contracts";
import { type Pool, query, type Session, statement, transaction } from "@collect/database";
import { collected, payouts, settled } from "../domain/account.ts";
import { add, type Balances, type Movement, movementOf, NOTHING } from "../domain/books.ts";

/**
 * How far a merchant's three ledger accounts belong to a period: the version of the last entry of each. A transaction
 * belongs where its entry on Collected does, or if it has none, its entry on Transfers in progress (payouts), or else on Settled.
 * What locks a second account after the first writes all its entries after that, so the order of one account is that of the others.
 */
export type Position = { collected: bigint; payouts: bigint; settled: bigint };
export type Period = { start: Position; end: Position };

const START: Position = { collected: 0n, payouts: 0n, settled: 0n };

const accountsOf = (merchant: MerchantScope) => [collected(merchant), payouts(merchant), settled(merchant)];

// Waits for what is being posted to this merchant, so that nothing can be recorded before now once this has returned. In a row with
// postings, not shared: readers that follow each other would hold a waiting posting up.
const awaitPostings = statement(
  'select id from ledger_accounts where id = any($1::text[]) order by id collate "C" for no key update',
);

// `recorded_at` increases with the version, so the last entry before an instant is found by binary search.
const search = statement<{ kind: keyof Position; version: bigint }>(`
  with recursive search (id, kind, low, high) as (
    select id, kind, 0::bigint, version from ledger_accounts where id = any($1::text[])
    union all
    select id, kind, case when is_before then middle else low end, case when is_before then high else middle - 1 end
    from (select id, kind, low, high, (low + high + 1) / 2 as middle from search where low < high) as half
    cross join lateral (
      select $2::timestamptz is null or recorded_at < $2 as is_before
      from entries where account_id = half.id and account_version = middle limit 1
    ) as entry
  )
  select kind, low as version from search where low = high`);

// Not by readTimeOf, which rounds to the millisecond, and so up: a month is not over before its end.
const readTime = statement<{ at: string }>("select time_of($1, $2) as at");

/**
 * Where a period begins and ends; without an instant, with the first entry and the last. `asOf` is the merchant's time at which this
 * was so: what is recorded later is not in it.
 */
export function positionsOf(
  pool: Pool,
  merchant: MerchantScope,
  { from, before }: { from: string | undefined; before: string | undefined },
): Promise<Period & { asOf: string }> {
  const accounts = accountsOf(merchant);
  const at = async (tx: Session, instant: string | undefined): Promise<Position> => {
    const found = await search(tx, [accounts, instant]);
    return { ...START, ...Object.fromEntries(found.map(({ kind, version }) => [kind, version])) };
  };
  return transaction(pool, async (tx) => {
    await awaitPostings(tx, [accounts]);
    const [now] = await readTime(tx, [merchant.id, merchant.mode]);
    if (!now) throw new Error("a time returned no row");
    return { start: from === undefined ? START : await at(tx, from), end: await at(tx, before), asOf: now.at };
  });
}

// A transaction whose entry on Settled lies on the other side than the one that it belongs to is counted there: a transfer that
// was in progress at that instant, and settlements of a test clock, which are recorded on Collected ahead of their time on Settled.
const balances = query<Balances>(`
  with straddling as (
    select e.amount, s.entry_version <= $6 as is_in, e.account_version <= $8 as is_counted
    from settlements s join entries e on e.transaction_id = s.transaction_id and e.account_id = $5
    where s.merchant_id = $1 and s.mode = $2
    union all
    select e.amount, c.account_version <= $6, e.account_version <= $8
    from transactions t join entries e on e.transaction_id = t.id and e.account_id = $5
      join entries c on c.transaction_id = t.id and c.account_id = $3
    where t.merchant_id = $1 and t.mode = $2 and t.kind = 'cover'
    union all
    select e.amount, p.account_version <= $7, e.account_version <= $8
    from entries e join entries p on p.transaction_id = e.transaction_id and p.account_id = $4
    where e.account_id = $5 and e.account_version in ($8::bigint, $8::bigint + 1)
  ),
  at (account_id, version) as (values ($3, $6::bigint), ($5, $8::bigint))
  select coalesce(-sum(balance_after) filter (where entries.account_id = $3), 0)::bigint as collected,
    (coalesce(-sum(balance_after) filter (where entries.account_id = $5), 0)
      - (select coalesce(sum(case when is_in then amount else -amount end), 0) from straddling where is_in <> is_counted)
    )::bigint as settled
  from at join entries on entries.account_id = at.account_id and account_version = at.version`);

/** What the merchant has on Collected and Settled after everything up to a position. */
export async function balancesAt(pool: Pool, merchant: MerchantScope, position: Position): Promise<Balances> {
  const { id, mode } = merchant;
  const { collected, payouts, settled } = position;
  const [row] = await balances(pool, [id, mode, ...accountsOf(merchant), collected, payouts, settled]);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

/** A transaction at the entry that says where it belongs. */
export type Booked = {
  account: keyof Position;
  version: bigint;
  recorded_at: string;
  transaction_id: string;
  key: string;
  kind: string;
  amount: bigint;
  fee: bigint;
  is_home: boolean;
};

const walk = query<Booked>(`
  with entry as (
    select 'collected' as account, * from (select * from entries
      where account_id = $1 and account_version > $4 and account_version <= $7 order by account_version limit $10) as collected
    union all
    select 'payouts', * from (select * from entries
      where account_id = $2 and account_version > $5 and account_version <= $8 order by account_version limit $10) as payouts
    union all
    select 'settled', * from (select * from entries
      where account_id = $3 and account_version > $6 and account_version <= $9 order by account_version limit $10) as settled
    order by recorded_at, account, account_version limit $10
  )
  select account, account_version as version, recorded_at, transaction_id::text, kind, t.amount, fee,
    coalesce(
      (select reference from settlements where merchant_id = $11 and mode = $12 and entry_version = account_version and kind = 'settlement'),
      split_part(key, ':', 1)) as key,
    account <> 'settled' or kind = 'reversal' as is_home
  from entry join transactions t on t.id = transaction_id
  order by recorded_at, account, account_version`);

/** The next transactions after a position, oldest first, from at most `limit` entries; `next` is null at the end. */
export async function listBooked(
  pool: Pool,
  merchant: MerchantScope,
  { start, end, limit }: Period & { limit: number },
): Promise<{ booked: Booked[]; next: Position | null }> {
  const between = [start.collected, start.payouts, start.settled, end.collected, end.payouts, end.settled];
  const rows = await walk(pool, [...accountsOf(merchant), ...between, limit + 1, merchant.id, merchant.mode]);
  const page = rows.slice(0, limit);
  const reached = { ...start, ...Object.fromEntries(page.map(({ account, version }) => [account, version])) };
  return { booked: page.filter(({ is_home }) => is_home), next: rows.length > limit ? reached : null };
}

/**
 * The kind of a ledger account as merchants see it: a merchant is credited from the gross, and what the bank kept of it is between
 * the bank and us, so that the two are one account.
 */
export const accountForMerchants = (id: string) =>
  `case split_part(${id}, ':', 2) when 'bank_charges' then 'bank' else split_part(${id}, ':', 2) end`;

type Leg = { transaction_id: string; account: string; amount: bigint; balance: bigint | null };

const legs = query<Leg>(`
  select transaction_id::text, account, sum(amount)::bigint as amount,
    max(-balance_after) filter (where account_id = any($2::text[])) as balance
  from (select *, ${accountForMerchants("account_id")} as account from entries where transaction_id = any($1::bigint[])) as entry
  group by transaction_id, account order by transaction_id, amount, account`);

/** The entries of these transactions, as a merchant sees them; balances of its own ledger accounts only. */
export function legsOf(pool: Pool, merchant: MerchantScope, transactionIds: string[]): Promise<Leg[]> {
  return legs(pool, [transactionIds, accountsOf(merchant)]);
}

const SUMMED = 50_000;

const sums = query<{ kind: string; amount: bigint; fee: bigint; count: bigint }>(`
  select kind, sum(t.amount)::bigint as amount, sum(fee)::bigint as fee, count(*) as count
  from entries e join transactions t on t.id = e.transaction_id
  where e.account_id = $1 and e.account_version > $2 and e.account_version <= $3
    and (split_part(e.account_id, ':', 2) <> 'settled' or kind = 'reversal')
  group by kind`);

/**
 * The sum of all movements between two positions, and how many there are; some at a time, since a month can be a million. 265,000
 * collections took 1.2 s on two cores that others used.
 */
export async function sumMovements(
  pool: Pool,
  merchant: MerchantScope,
  { start, end }: Period,
): Promise<{ sum: Movement; count: number }> {
  const chains = [
    [collected(merchant), start.collected, end.collected],
    [payouts(merchant), start.payouts, end.payouts],
    [settled(merchant), start.settled, end.settled],
  ] as const;
  let [sum, count] = [NOTHING, 0];
  for (const [account, first, last] of chains)
    for (let low = first; low < last; low += BigInt(SUMMED)) {
      const high = low + BigInt(SUMMED) < last ? low + BigInt(SUMMED) : last;
      for (const row of await sums(pool, [account, low, high])) {
        const movement = movementOf(row);
        if (!movement) continue;
        sum = add(sum, movement);
        count += Number(row.count);
      }
    }
  return { sum, count };
}

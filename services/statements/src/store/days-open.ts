import { query, type Session } from "@collect/database";

// Days are closed in order, so the last one says how many are open. Once every account has ended, the day after shows what they left,
// and later ones have nothing that would have to be closed.
const open = query<{ days: number }>(`
  select greatest(0, coalesce(least(
    (clock_timestamp() at time zone 'Africa/Lagos')::date - 1,
    (select case when bool_and(last_on is not null) then max(last_on) + 1 end from bank_accounts)
  ) - coalesce((select max(day) from closings where reopened_at is null), (select min(from_on) - 1 from statements)), 0)) as days`);
/** The days since the first statement that are over and not closed. */
export async function countOpenDays(pool: Session): Promise<number> {
  const [row] = await open(pool, []);
  if (!row) throw new Error("an expression returned no row");
  return row.days;
}

// One open account a bank. What a statement leaves open of its last day is not proved.
const ages = query<{ bank: string; age_s: number }>(`
  select bank, extract(epoch from clock_timestamp() - coalesce(
    (last.to_on + last.is_final::integer)::timestamp at time zone 'Africa/Lagos', set_at
  ))::float8 as age_s
  from bank_accounts
  left join lateral (
    select to_on, is_final from statements where account = bank_accounts.number order by from_on desc, id desc limit 1
  ) as last on true
  where last_on is null`);
/** How long ago the last day ended that the statements of each open account prove; without any, how long ago it was named. */
export const readAges = (pool: Session) => ages(pool, []);

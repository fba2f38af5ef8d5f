import { columns, query, type Session } from "@collect/database";
import type { Day } from "../domain/statement.ts";

/** What a closed day establishes of an account: what the bank charged, and our own money that came, less what went. */
export type DayTotal = "charges" | "own_funds";

// A day that was reopened and now lies before all statements is closed no more: its statements were withdrawn, as those of an account that was named by
// mistake. It has no totals. A day that this database has never closed is left alone, as are all while there is no statement.
const settledWith = (totals: string) => `
  settled as (
    select day, ${totals} as totals from closings where reopened_at is null
    union all
    select distinct day, '{}'::jsonb from closings as undone where day < (select min(from_on) from statements)
      and not exists (select from closings where day = undone.day and reopened_at is null)
  )`;

type Days = { from: Day; to: Day };
const days = query<{ from: Day | null; to: Day }>(`
  with ${settledWith("charge_totals")}
  select min(day)::text as from, (min(day) + $2::integer - 1)::text as to from settled
  where day > coalesce($1::date, '-infinity')`);
/** At most so many days, of which the first is the first settled one after another. */
export async function settledDaysAfter(tx: Session, after: Day | null, max: number): Promise<Days | undefined> {
  const [row] = await days(tx, [after, max]);
  return row && row.from !== null ? { from: row.from, to: row.to } : undefined;
}

type Established = { day: Day; totals: Record<string, string> };
/** Of an account, and whether the ledger has it. */
type OfAccount = { account: string; total: bigint; booked: boolean };

const statementsOn = ({ totals, booked }: { totals: string; booked: string }) => ({
  established: query<Established>(`
    with ${settledWith(totals)}
    select day::text as day, (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each_text(totals)) as totals
    from settled where day between $1 and $2 order by day`),
  removeOthers: query(`
    delete from ${booked} where day between $1 and $2
      and (day, account) not in (select * from unnest($3::date[], $4::text[]))`),
  store: query(`
    insert into ${booked} as known (day, account, total) select * from unnest($1::date[], $2::text[], $3::bigint[])
    on conflict (day, account) do update set total = excluded.total where known.total <> excluded.total`),
  ofDay: query<OfAccount>(`
    select account, established.total::bigint as total, coalesce(${booked}.total, 0) = established.total::bigint as booked
    from closings cross join lateral jsonb_each_text(${totals}) as established (account, total)
    left join ${booked} using (day, account)
    where day = $1 and reopened_at is null order by account`),
  any: query<{ day: Day }>(`select day::text as day from ${booked} limit 1`),
});
const STATEMENTS = {
  charges: statementsOn({ totals: "charge_totals", booked: "booked_charges" }),
  own_funds: statementsOn({ totals: "own_funds_totals", booked: "booked_own_funds" }),
};

/** What the days of this span that are closed now were closed with, of each account; nothing for those that are closed no more. */
export const readEstablished = (tx: Session, of: DayTotal, { from, to }: Days) =>
  STATEMENTS[of].established(tx, [from, to]);

export type BookedTotal = { day: Day; account: string; total: bigint };
/** What the ledger has of these days. A ledger that was restored may have less. */
export async function storeBooked(tx: Session, of: DayTotal, { from, to }: Days, booked: BookedTotal[]): Promise<void> {
  const { removeOthers, store } = STATEMENTS[of];
  const [ofDays, accounts, totals] = columns(booked, "day", "account", "total");
  await removeOthers(tx, [from, to, ofDays, accounts]);
  await store(tx, [ofDays, accounts, totals]);
}

const chargedBefore = query<{ account: string; total: bigint }>(`
  select account, sum(total::bigint)::bigint as total from closings cross join lateral jsonb_each_text(charge_totals) as charged (account, total)
  where reopened_at is null and day < $1 group by account`);
/** What the days before were closed with as charges of each account. */
export const readChargedBefore = async (tx: Session, day: Day): Promise<Map<string, bigint>> =>
  new Map((await chargedBefore(tx, [day])).map(({ account, total }) => [account, total]));

/** What a day was closed with, and whether the ledger has it. */
export const readTotals = (tx: Session, of: DayTotal, day: Day) => STATEMENTS[of].ofDay(tx, [day]);

export const hasBooked = async (tx: Session, of: DayTotal): Promise<boolean> =>
  (await STATEMENTS[of].any(tx, [])).length > 0;

import { query, type Session } from "@collect/database";
import type { Day } from "../domain/statement.ts";
import { COVERED_TO } from "./statements.ts";

/** Rows of a response. One more is read, to know whether there are more. */
const [DAYS, STATEMENTS] = [31, 50];

type ListedDay = {
  day: Day;
  state: "open" | "closed";
  closed_at: string | null;
  closed_by: string | null;
  missing: string[];
  is_next: boolean;
};
const days = query<ListedDay>(`
  with known as (
    select min(from_on) as first, (clock_timestamp() at time zone 'Africa/Lagos')::date - 1 as yesterday from statements
  ), covered as materialized (
    select bank_accounts.number, min(from_on) as since, ${COVERED_TO} as upto
    from bank_accounts left join statements on account = bank_accounts.number group by bank_accounts.number
  ), page as (
    select generate_series(greatest(first, upto - ${DAYS}), upto, '1 day')::date as day,
      coalesce((select max(day) + 1 from closings where reopened_at is null), first) as next
    from known cross join lateral (select least(yesterday, $1::date - 1) as upto) as last
    where first is not null
  )
  select page.day::text as day, case when closed_by is null then 'open' else 'closed' end as state, closed_at, closed_by,
    array(
      select number from covered where (since is null or since <= page.day) and (upto is null or upto < page.day) order by number
    ) as missing,
    page.day = next as is_next
  from page left join closings on closings.day = page.day and reopened_at is null
  order by page.day desc`);
/** The days that are over since the first statement, newest first, those before `after`. */
export const listDays = async (tx: Session, after: Day | undefined) =>
  paged(await days(tx, [after]), DAYS, ({ day }) => day);

type ListedStatement = {
  id: string;
  account: string;
  number: string | null;
  from: Day;
  to: Day;
  opening: bigint;
  closing: bigint;
  lines: number;
  file: string;
  imported_by: string;
  imported_at: string;
  can_be_withdrawn: boolean;
};
const statements = query<ListedStatement>(`
  select statements.id::text as id, account, statements.number, from_on::text as from, to_on::text as to, opening, closing,
    line_count as lines, files.name as file, coalesce(taken_by, imported_by) as imported_by, coalesce(taken_at, imported_at) as imported_at,
    not exists (select from statements as later where later.account = statements.account and later.id > statements.id)
      and not exists (select from closings where day >= statements.from_on and reopened_at is null)
      and last_on is null as can_be_withdrawn
  from statements join files on files.hash = statements.file join bank_accounts on bank_accounts.number = account
  where $1::bigint is null or statements.id < $1
  order by statements.id desc limit ${STATEMENTS + 1}`);
/** Newest first, those before `after`. */
export const listStatements = async (tx: Session, after: string | undefined) =>
  paged(await statements(tx, [after]), STATEMENTS, ({ id }) => id);

function paged<Row>(rows: Row[], max: number, cursorOf: (row: Row) => string) {
  const data = rows.slice(0, max);
  const last = data.at(-1);
  return { data, next: last && rows.length > max ? cursorOf(last) : null };
}

import { query, type Session } from "@collect/database";
import type { Opening } from "../domain/openings.ts";
import type { Day } from "../domain/statement.ts";
import { MISSING_AFTER } from "./missing.ts";
import { COVERED_TO } from "./statements.ts";

const openings = query<Opening>(`
  select bank_accounts.number as account, first.from_on::text as "on", first.opening, (
    select coalesce(sum((openings ->> bank_accounts.number)::bigint), 0)::bigint from closings where reopened_at is null and day < $1
  ) as established
  from bank_accounts
  cross join lateral (
    select from_on, opening from statements where account = bank_accounts.number order by from_on, id limit 1
  ) as first
  where first.from_on <= $1 order by account`);
/** Of each account whose statements have begun by then, also of those that have ended. `established` is what earlier days were closed with. */
export const readOpenings = (tx: Session, day: Day) => openings(tx, [day]);

type Before = { ledger: bigint | null; inTransit: bigint; undecided: number };
const before = query<Before>(`
  with accounts as (
    select bank_accounts.number, settles_within, ${COVERED_TO} as covered_to
    from bank_accounts left join statements on account = bank_accounts.number group by bank_accounts.number
  )
  select (
      select (sheet -> 'ledger' ->> 'opening')::bigint + coalesce((sheet -> 'ledger' ->> 'booked')::bigint, 0)
      from closings where day = $1 and reopened_at is null
    ) as ledger,
    coalesce(sum(amount) filter (where match_id is not null), 0)::bigint as "inTransit",
    (count(*) filter (where match_id is null and coalesce(covered_to < booked_on + ${MISSING_AFTER}, true)))::integer as undecided
  from movements join accounts on accounts.number = account where booked_on < $1`);
/**
 * What our books had before the first day of all: in the ledger, as that day was closed with it, and null while it is open; how much of that the bank
 * booked only later, by a line of a statement; and of how many movements the statements do not say yet.
 */
export async function readBefore(tx: Session, first: Day): Promise<Before> {
  const [row] = await before(tx, [first]);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

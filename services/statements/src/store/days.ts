import { columns, query, type Session } from "@collect/database";
import type { SheetLine, SheetMovement } from "../domain/sheet.ts";
import type { Day } from "../domain/statement.ts";
import { inStatements } from "./in-statements.ts";
import { MISSING_AFTER } from "./missing.ts";
import { COVERED_TO } from "./statements.ts";

// Whatever is matched with something of the day, on whichever day it is, belongs to the day's difference.
const TOUCHED = `
  touched as (
    select match_id from lines where booked_on = $1 and match_id is not null
    union select match_id from movements where booked_on = $1 and match_id is not null
  )`;

const lines = query<SheetLine & { narration: string }>(`
  with ${TOUCHED}, ids as (
    select id from lines where booked_on = $1 union select id from lines join touched using (match_id)
  )
  select lines.id, account, booked_on::text as "on", amount, is_charge as "isCharge", match_id as match, made_by as by,
    coalesce(evidence = 'amount', false) as "isByAmount", coalesce(evidence = 'settlement', false) as "isInOneSum", narration
  from ids join lines using (id) left join matches on matches.id = match_id order by lines.id`);

const movements = query<SheetMovement>(`
  with ${TOUCHED}, keys as (
    select key from movements where booked_on = $1 union select key from movements join touched using (match_id)
  )
  select key, account, booked_on::text as "on", amount, kept, is_void as "isVoid", match_id as match, made_by as by, ${MISSING_AFTER} as "missingAfter"
  from keys join movements using (key) join bank_accounts on bank_accounts.number = account left join matches on matches.id = match_id order by key`);

/** What a day's difference is made of. */
export async function readDay(tx: Session, day: Day) {
  return { lines: await lines(tx, [day]), movements: await movements(tx, [day]) };
}

type AccountDay = {
  number: string;
  bank: string;
  covered_to: Day | null;
  last_day: Day | null;
  ended_by: string | null;
  end_reason: string | null;
  opening: bigint;
  in: bigint;
  out: bigint;
  charges: bigint;
  lines: number;
  matched: number;
};
const accounts = query<AccountDay>(`
  select number, bank, covered_to::text as covered_to, last_on::text as last_day, ended_by, end_reason, coalesce(first.opening + before.sum, last.closing) as opening,
    that.in, that.out, that.charges, that.lines, that.matched
  from bank_accounts
  cross join lateral (
    select min(from_on) as covered_from, ${COVERED_TO} as covered_to from statements where account = bank_accounts.number
  ) as covered
  left join lateral (
    select id, opening from statements where account = bank_accounts.number and to_on >= $1 order by from_on, id limit 1
  ) as first on true
  left join lateral (
    select closing from statements where account = bank_accounts.number order by from_on desc, id desc limit 1
  ) as last on true
  cross join lateral (
    select coalesce(sum(amount), 0)::bigint as sum from lines where statement_id = first.id and booked_on < $1
  ) as before
  cross join lateral (
    select coalesce(sum(amount) filter (where amount > 0), 0)::bigint as in,
      coalesce(sum(amount) filter (where amount < 0 and not is_charge), 0)::bigint as out,
      coalesce(sum(amount) filter (where is_charge), 0)::bigint as charges,
      count(*)::integer as lines, count(match_id)::integer as matched
    from lines where account = bank_accounts.number and booked_on = $1 and amount <> 0
  ) as that
  where covered_from <= $1 or covered_from is null
  order by number`);
/** Each account whose statements have begun by then, or have not begun at all: those have no balance. Also those that have ended. */
export const readAccounts = (tx: Session, day: Day) => accounts(tx, [day]);

const covered = query<{ number: string; to: Day }>(`
  select bank_accounts.number, ${COVERED_TO}::text as to from bank_accounts join statements on account = bank_accounts.number
  group by bank_accounts.number`);
/** Up to which day the statements of each account are here, also of those that begin later than any day in question. */
export const readCoveredTo = async (tx: Session): Promise<Map<string, Day>> =>
  new Map((await covered(tx, [])).map(({ number, to }) => [number, to]));

const handmade = query<{ made_by: string }>(`
  with ${TOUCHED}
  select distinct made_by from matches join touched on match_id = id where made_by is not null`);
/** Those who have matched something of the day by hand. */
export const readMatchers = async (tx: Session, day: Day) => (await handmade(tx, [day])).map(({ made_by }) => made_by);

const importers = query<{ imported_by: string }>(`
  with covering as (
    select covers.id from bank_accounts cross join lateral (
      select min(from_on) as begun, min(from_on) filter (where to_on >= $1) as next from statements where account = bank_accounts.number
    ) as first
    join statements as covers on account = bank_accounts.number and to_on >= $1 and from_on <= greatest($1, first.next)
    where first.begun <= $1
  )
  select distinct coalesce(taken_by, imported_by) as imported_by from covering join statements using (id) join files on hash = file`);
/**
 * Those who have imported a statement that covers the day, or says that nothing was booked on it: a file proves only that it agrees with
 * itself. What is matched with a line of another day is that day's to prove.
 */
export const readImporters = async (tx: Session, day: Day) =>
  (await importers(tx, [day])).map(({ imported_by }) => imported_by);

const LOOSE_DAYS = 31;
const loose = query<{ key: string }>(`
  with closed as (select max(day) as to, max(day) - ${LOOSE_DAYS} as from from closings where reopened_at is null),
  open as (
    select booked_on as day, 'line:' || lines.id as key from bank_accounts join lines on account = number, closed
    where match_id is null and amount <> 0 and booked_on between closed.from and closed.to
      and (not is_charge or lines.id not in (
        select unnest(charges) from closings, closed where reopened_at is null and day between closed.from and closed.to
      ))
    union all
    select booked_on, key from movements, closed where match_id is null and booked_on between closed.from and closed.to
    union
    select lines.booked_on, 'match:' || match_id from movements join lines using (match_id), closed
    where is_void and match_id is not null and lines.booked_on between closed.from and closed.to
  ),
  vouched as (
    select day, coalesce(member.item, shown ->> 'key') as key from closed, closings
    cross join lateral jsonb_array_elements(sheet -> 'items') as shown
    left join grouped_items as member on closing = closings.id and in_group = shown ->> 'key'
    where reopened_at is null and day between closed.from and closed.to
      and shown ->> 'reason' is not null and shown ->> 'class' not in ('timing', 'by_hand')
  )
  select key from (
    select day, key from open where exists (select from closings where day = open.day and reopened_at is null)
    except select day, key from vouched
  ) as loose order by key limit 5`);
/**
 * What a closed day was closed with as matched by the amount, and is not since something else proved to belong to its counterpart; as a payout
 * under way, and failed; or as a delay. A reason counts if the day was closed with it, so that another person has seen it. Lines of 0.00, which earlier
 * releases stored, move no money and take no reason.
 */
export const readLoose = async (tx: Session) => (await loose(tx, [])).map(({ key }) => key);

/** `charge` is what the bank kept, if the reason says so; `is_own` if it says that it is money of our own. */
export type Explanation = {
  item: string;
  amount: bigint;
  reason: string;
  explained_by: string;
  charge: bigint | null;
  is_own: boolean;
};
const explanations = query<Explanation>(`
  select item, amount, reason, explained_by, charge, is_own from explanations
  left join matches on matches.id = case when item ~ '^match:[0-9]+$' then substr(item, 7)::bigint end
  where day = $1 and (made_at is null or explained_at >= made_at)`);
/** A reason for a match that was undone, or replaced, does not count for a later one that has its number. */
export async function readExplanations(tx: Session, day: Day): Promise<Map<string, Explanation>> {
  return new Map((await explanations(tx, [day])).map((each) => [each.item, each]));
}

const explain = query(`
  insert into explanations (day, item, amount, charge, reason, explained_by, is_own)
  select $1, item, amount, charge, $5, $6, $7 from unnest($2::text[], $3::bigint[], $4::bigint[]) as meant (item, amount, charge)
  order by item collate "C"
  on conflict (day, item) do update set amount = excluded.amount, charge = excluded.charge, reason = excluded.reason,
    explained_by = excluded.explained_by, is_own = excluded.is_own, explained_at = clock_timestamp()`);
type Explained = {
  day: Day;
  items: { key: string; amount: bigint; charge: bigint | null }[];
  reason: string;
  by: string;
  isOwn: boolean;
};
/** In the order of the keys, in which two that explain the same lock them. */
export async function storeExplanations(tx: Session, { day, items, reason, by, isOwn }: Explained): Promise<void> {
  const inOrder = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const some of inStatements(inOrder))
    await explain(tx, [day, ...columns(some, "key", "amount", "charge"), reason, by, isOwn]);
}

const order = query<{ last: Day | null; first: Day | null; is_over: boolean }>(`
  select (select max(day) from closings where reopened_at is null)::text as last, min(from_on)::text as first,
    $1::date < (clock_timestamp() at time zone 'Africa/Lagos')::date as is_over
  from statements`);
/** The last closed day, the first day of any statement, and whether this day has ended. */
export async function readOrder(
  tx: Session,
  day: Day,
): Promise<{ last: Day | null; first: Day | null; is_over: boolean }> {
  const [row] = await order(tx, [day]);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

/** Rows of a response. One more is read, to know whether there are more. */
const CHARGES = 1_000;

type Charge = { line: string; amount: bigint; narration: string; is_matched: boolean };
const charges = query<Charge>(`
  select id::text as line, amount, narration, match_id is not null as is_matched from lines
  where booked_on = $1 and account = $2 and is_charge and id > $3 order by id limit ${CHARGES + 1}`);
/** In the order of the statement, those after the line `after`. */
export async function listCharges(tx: Session, given: { day: Day; account: string; after?: string | undefined }) {
  const rows = await charges(tx, [given.day, given.account, given.after ?? "0"]);
  const data = rows.slice(0, CHARGES);
  return { data, next: rows.length > CHARGES ? (data.at(-1)?.line ?? null) : null };
}

import { Problem } from "@collect/contracts";
import { query, type Session } from "@collect/database";
import { dayAfter } from "../domain/calendar.ts";
import type { Covered } from "../domain/covered.ts";
import type { Match, OpenLine, OpenMovement } from "../domain/matching.ts";
import { inStatements } from "./in-statements.ts";
import { COVERED_TO } from "./statements.ts";

/** How far before the first open day unmatched lines and movements are still tried; what is offered or claimed goes on waiting for its movement. */
const BACK_DAYS = 31;

/** Matches by the amount are looked at again for so long; those of closed days only give way to better evidence. */
const WEAK_DAYS = 2 * BACK_DAYS;

const OPEN = `
  open as (select max(day) + 1 as first, max(day) + 1 - ${BACK_DAYS} as back from closings where reopened_at is null)`;
// As an array, because a join took each match by each line while the tables had no statistics yet: minutes, after the first month of an account.
const IS_WEAK = `match_id = any(array(
  select id from matches where evidence = 'amount' and made_at > clock_timestamp() - interval '${WEAK_DAYS} days'))`;
const isRecent = (day: string) => `${day} >= coalesce(open.back, '-infinity')`;
const isClosed = (day: string) => `coalesce(${day} < open.first, false)`;
/** While a day is open its reasons say so. What it was closed with as that is no open line. */
const IS_OWN = `(not ${isClosed("booked_on")} and exists (
  select from explanations where day = booked_on and item = 'line:' || lines.id and (is_own or charge is not null)))`;

const linesOf = (ids: string) =>
  query<OpenLine>(`
  with ${OPEN}, ids as (${ids})
  select id, booked_on::text as "bookedOn", lines.amount, session_id as "sessionId",
    narration,
    case when bank_transfer_id is null then refs else refs || bank_transfer_id end as "references",
    bank_transfer_id is not null as "isOffered", ${IS_OWN} as "isOwn", ${isClosed("booked_on")} as "isClosed", match_id as match
  from ids join lines using (id) left join offers on line_id = lines.id, open`);
// What a day was closed with as a charge, as one given back, or as our own money, is in the ledger as that: it is matched with nothing else.
const openLines = linesOf(`
  (select id from lines, open where account = $1 and match_id is null and amount <> 0 and ${isRecent("booked_on")} and not (is_charge and id in (
    select unnest(charges) from closings, open where reopened_at is null and ${isRecent("day")}
  )) and id not in (
    select unnest(own_funds) from closings, open where reopened_at is null and ${isRecent("day")}
  ) order by booked_on desc, id desc limit $2)
  union select id from offers join lines on line_id = id where offers.account = $1 and match_id is null`);
const weakLines = linesOf(`
  select id from lines, open where account = $1 and ${IS_WEAK} and ${isRecent("booked_on")}
  order by booked_on desc, id desc limit $2`);

const movementsOf = (keys: string) =>
  query<OpenMovement>(`
  with ${OPEN}, keys as (${keys})
  select key, occurred_on::text as "on", booked_on::text as "bookedOn", amount, session_id as "sessionId", settlement_id as "settlementId",
    refs as "references", ${isClosed("booked_on")} as "isClosed", match_id as match
  from keys join movements using (key), open`);
const openMovements = movementsOf(`
  (select key from movements, open where account = $1 and match_id is null and not is_void and ${isRecent("occurred_on")}
  order by occurred_on desc, key desc limit $2)
  union select key from offers join lines on line_id = id and match_id is null join movements on movements.account = offers.account
    and movements.match_id is null and not is_void and occurred_on between lines.booked_on - 1 and lines.booked_on + 1
    and movements.refs @> array[bank_transfer_id]
  where offers.account = $1`);
const weakMovements = movementsOf(`
  select key from movements, open where account = $1 and ${IS_WEAK} and not is_void and ${isRecent("occurred_on")}
  order by occurred_on desc, key desc limit $2`);

const covered = query<Covered>(`
  select min(from_on)::text as "coveredFrom", ${COVERED_TO}::text as "coveredTo", last_on::text as "lastDay"
  from bank_accounts join statements on account = bank_accounts.number
  where bank_accounts.number = $1 group by bank_accounts.number`);

/** The days of the account's statements. Without one there is no line to match. */
export const readCovered = async (tx: Session, account: string): Promise<Covered> =>
  (await covered(tx, [account]))[0] ?? { coveredFrom: "", coveredTo: "", lastDay: null };

/**
 * What is in no match in an account, the newest first and at most so many of each side; `isAll` if that is all of it, and otherwise the first day
 * of which nothing is left out.
 */
export async function readOpen(tx: Session, account: string, max: number) {
  const [lines, movements] = [await openLines(tx, [account, max]), await openMovements(tx, [account, max])];
  const cutAt = [lines[max - 1]?.bookedOn, movements[max - 1]?.on].flatMap((day) => day ?? []).toSorted();
  const last = cutAt.at(-1);
  return { lines, movements, isAll: last === undefined, allFrom: last && dayAfter(last) };
}

/** What is only in a match by the amount, of which both sides were read: better evidence may come. */
export async function readWeak(tx: Session, account: string, max: number) {
  const [lines, movements] = [await weakLines(tx, [account, max]), await weakMovements(tx, [account, max])];
  const [ofLines, ofMovements] = [lines, movements].map((rows) => new Set(rows.map(({ match }) => match)));
  return {
    lines: lines.filter(({ match }) => ofMovements?.has(match)),
    movements: movements.filter(({ match }) => ofLines?.has(match)),
  };
}

const incomplete = query<{ match: bigint }>(`
  with late as (
    select distinct settlement_id, amount > 0 as is_in from movements
    where account = $1 and match_id is null and not is_void and settlement_id is not null and not is_closed(booked_on)
  )
  select matches.id as match
  from late join movements as known on known.account = $1 and known.settlement_id = late.settlement_id and (known.amount > 0) = late.is_in
    join matches on matches.id = known.match_id and evidence = 'settlement'
  group by matches.id
  having (select sum(amount) from lines where match_id = matches.id) <> (select sum(amount) from movements where match_id = matches.id)
    and not exists (select from lines where match_id = matches.id and is_closed(booked_on))
    and not exists (select from movements where match_id = matches.id and is_closed(booked_on))`);
/** Matches of a settlement with another sum, of open days, of which more payments are known by now. */
export const incompleteSettlements = async (tx: Session, account: string): Promise<bigint[]> =>
  (await incomplete(tx, [account])).map(({ match }) => match);

const unlinkLines = query("update lines set match_id = null where match_id = any($1::bigint[])");
const unlinkMovements = query("update movements set match_id = null where match_id = any($1::bigint[])");
const remove = query("delete from matches where id = any($1::bigint[])");

export async function removeMatches(tx: Session, ids: bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await unlinkLines(tx, [ids]);
  await unlinkMovements(tx, [ids]);
  await remove(tx, [ids]);
}

const ofStatement = query<{ match: bigint }>(
  "select distinct match_id as match from lines where statement_id = $1 and match_id is not null",
);
export const matchesOfStatement = async (tx: Session, statement: bigint) =>
  (await ofStatement(tx, [statement])).map(({ match }) => match);

const insert = query(`
  insert into matches (id, evidence, made_by) select id, evidence, $3 from unnest($1::bigint[], $2::text[]) as found (id, evidence)`);
const linkLines = query<{ id: bigint }>(`
  update lines set match_id = found.match from unnest($1::bigint[], $2::bigint[]) as found (id, match)
  where lines.id = found.id and match_id is null returning lines.id`);
const linkMovements = query<{ key: string }>(`
  update movements set match_id = found.match from unnest($1::text[], $2::bigint[]) as found (key, match)
  where movements.key = found.key and match_id is null and account = $3 returning movements.key`);

type Found = Omit<Match, "by"> & { by: Match["by"] | "hand" };
/** A match is known by the lowest of its lines. */
export function idOf({ lines }: Pick<Match, "lines">): bigint {
  const [lowest = 0n] = lines.toSorted((a, b) => Number(a - b));
  return lowest;
}

/** `by` is the person, of matches by hand. A movement that is of another account by now is refused. */
export async function insertMatches(tx: Session, matches: Found[], given: Given): Promise<void> {
  for (const some of inStatements(matches)) await insertSome(tx, some, given);
}
type Given = { account: string; by: string | null };

async function insertSome(tx: Session, matches: Found[], { account, by }: Given): Promise<void> {
  await insert(tx, [matches.map(idOf), matches.map((match) => match.by), by]);
  const ofLines = matches.flatMap((match) => match.lines.map((id) => [id, idOf(match)] as const));
  const ofMovements = matches.flatMap((match) => match.movements.map((key) => [key, idOf(match)] as const));
  const linked = [
    ...(await linkLines(tx, [ofLines.map(([id]) => id), ofLines.map(([, match]) => match)])),
    ...(await linkMovements(tx, [ofMovements.map(([key]) => key), ofMovements.map(([, match]) => match), account])),
  ];
  if (linked.length !== ofLines.length + ofMovements.length)
    throw new Problem("conflict", "Some of them are matched already, or do not exist.");
}

const around = query<{ account: string; match: bigint | null; n: number; difference: bigint; is_open: boolean }>(`
  select account, match_id as match, count(*)::integer as n, sum(amount)::bigint as difference, bool_or(not is_closed(booked_on)) as is_open
  from lines where id = any($1::bigint[]) group by 1, 2
  union all
  select account, match_id, count(*)::integer, -sum(amount)::bigint, bool_or(booked_on is null or not is_closed(booked_on))
  from movements where key = any($2::text[]) group by 1, 2`);
/**
 * The accounts of these lines and movements, the matches that they are in, how many they are, by how much the lines are more than the
 * movements, and whether any is of no closed day.
 */
export const readAround = (tx: Session, given: { lines: string[]; movements: string[] }) =>
  around(tx, [given.lines, given.movements]);

const size = query<{ n: number }>(`
  select ((select count(*) from lines where match_id = $1) + (select count(*) from movements where match_id = $1))::integer as n
  from matches where id = $1 and evidence = 'hand'`);
/** How many lines and movements a match by hand has; undefined if there is none with this id. */
export const sizeOfHandmade = async (tx: Session, id: bigint): Promise<number | undefined> =>
  (await size(tx, [id]))[0]?.n;

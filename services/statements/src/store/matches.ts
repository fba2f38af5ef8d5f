import { Problem } from "@collect/contracts";
import { query, type Session } from "@collect/database";
import type { Match, OpenLine, OpenMovement } from "../domain/matching.ts";
import type { Day } from "../domain/statement.ts";
import { COVERED_TO } from "./statements.ts";

/** How far before the first open day unmatched lines and movements are still tried. */
const BACK_DAYS = 31;
/** What is left over is matched in the next run. */
const ROWS_MAX = 100_000;

/** Matches by the amount are looked at again for so long; those of closed days only give way to better evidence. */
const WEAK_DAYS = 2 * BACK_DAYS;

const OPEN = `
  open as (select max(day) + 1 as first, max(day) + 1 - ${BACK_DAYS} as back from closings where reopened_at is null),
  weak as (select id from matches where evidence = 'amount' and made_at > clock_timestamp() - interval '${WEAK_DAYS} days')`;
const isRecent = (day: string) => `${day} >= coalesce(open.back, '-infinity')`;
const isClosed = (day: string) => `coalesce(${day} < open.first, false)`;

// What is in no match comes before what may be matched better, and the newest first: neither keeps the other from being read.
const lines = query<OpenLine>(`
  with ${OPEN}, ids as (
    (select id from lines, open where account = $1 and match_id is null and ${isRecent("booked_on")} order by booked_on desc, id desc limit $2)
    union all
    (select lines.id from weak join lines on match_id = weak.id, open where account = $1 and ${isRecent("booked_on")}
      order by booked_on desc, lines.id desc limit $2)
  )
  select id, booked_on::text as "bookedOn", lines.amount, session_id as "sessionId", narration,
    case when bank_transfer_id is null then refs else refs || bank_transfer_id end as "references",
    ${isClosed("booked_on")} as "isClosed", match_id as match
  from ids join lines using (id) left join offers on line_id = lines.id, open`);

const movements = query<OpenMovement>(`
  with ${OPEN}, keys as (
    (select key from movements, open where account = $1 and match_id is null and not is_void and ${isRecent("occurred_on")}
      order by occurred_on desc, key desc limit $2)
    union all
    (select key from weak join movements on match_id = weak.id, open where account = $1 and not is_void and ${isRecent("occurred_on")}
      order by occurred_on desc, key desc limit $2)
  )
  select key, occurred_on::text as "on", booked_on::text as "bookedOn", amount, session_id as "sessionId", settlement_id as "settlementId",
    refs as "references", ${isClosed("booked_on")} as "isClosed", match_id as match
  from keys join movements using (key), open`);

const covered = query<{ to: Day | null }>(`
  select ${COVERED_TO}::text as to from bank_accounts join statements on account = bank_accounts.number
  where bank_accounts.number = $1 group by bank_accounts.number`);

/** What can be matched in an account: what is in no match, or, as far as both sides were read, only in one by the amount. */
export async function readOpen(tx: Session, account: string, max = ROWS_MAX) {
  const [line, movement] = [await lines(tx, [account, max]), await movements(tx, [account, max])];
  const [ofLines, ofMovements] = [line, movement].map((rows) => new Set(rows.map(({ match }) => match)));
  const isWhole = ({ match }: { match: bigint | null }) =>
    match === null || (ofLines?.has(match) && ofMovements?.has(match));
  const isAll = [line, movement].every((rows) => rows.filter(({ match }) => match === null).length < max);
  const [statements] = await covered(tx, [account]);
  // Without a statement there is no line to match.
  const coveredTo = statements?.to ?? "";
  return { lines: line.filter(isWhole), movements: movement.filter(isWhole), coveredTo, isAll };
}

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
  where movements.key = found.key and match_id is null returning movements.key`);

type Found = Omit<Match, "by"> & { by: Match["by"] | "hand" };
/** A match is known by the lowest of its lines. */
export function idOf({ lines }: Pick<Match, "lines">): bigint {
  const [lowest = 0n] = lines.toSorted((a, b) => Number(a - b));
  return lowest;
}

/** `by` is the person, of matches by hand. */
export async function insertMatches(tx: Session, matches: Found[], by: string | null): Promise<void> {
  if (matches.length === 0) return;
  await insert(tx, [matches.map(idOf), matches.map((match) => match.by), by]);
  const ofLines = matches.flatMap((match) => match.lines.map((id) => [id, idOf(match)] as const));
  const ofMovements = matches.flatMap((match) => match.movements.map((key) => [key, idOf(match)] as const));
  const linked = [
    ...(await linkLines(tx, [ofLines.map(([id]) => id), ofLines.map(([, match]) => match)])),
    ...(await linkMovements(tx, [ofMovements.map(([key]) => key), ofMovements.map(([, match]) => match)])),
  ];
  if (linked.length !== ofLines.length + ofMovements.length)
    throw new Problem("conflict", "Some of them are matched already, or do not exist.");
}

const around = query<{ account: string; match: bigint | null; n: number; is_open: boolean }>(`
  select account, match_id as match, count(*)::integer as n, bool_or(not is_closed(booked_on)) as is_open
  from lines where id = any($1::bigint[]) group by 1, 2
  union all
  select account, match_id, count(*)::integer, bool_or(booked_on is null or not is_closed(booked_on))
  from movements where key = any($2::text[]) group by 1, 2`);
/** The accounts of these lines and movements, the matches that they are in, how many they are, and whether any is of no closed day. */
export const readAround = (tx: Session, given: { lines: string[]; movements: string[] }) =>
  around(tx, [given.lines, given.movements]);

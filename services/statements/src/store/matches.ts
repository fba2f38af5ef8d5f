import { Problem } from "@collect/contracts";
import { query, type Session } from "@collect/database";
import type { Match, OpenLine, OpenMovement } from "../domain/matching.ts";

/** How far before the first open day unmatched lines and movements are still tried. */
const BACK_DAYS = 31;
/** What is left over is matched in the next run. */
const ROWS_MAX = 100_000;

const OPEN = `
  open as (select coalesce(max(day) + 1, '-infinity')::date as first from closings where reopened_at is null),
  -- Found by the amount alone, on open days: whatever turns up since may be better evidence.
  weak as (
    select id from matches where evidence = 'amount' and id in (
      select match_id from lines where account = $1 and booked_on >= (select first from open)
    ) and not exists (select from movements where match_id = matches.id and booked_on < (select first from open))
  )`;

const lines = query<OpenLine & { match: bigint | null }>(`
  with ${OPEN}
  select id, booked_on::text as "bookedOn", amount, session_id as "sessionId", refs as "references", match_id as match
  from lines where account = $1 and booked_on >= (select case when isfinite(first) then first - ${BACK_DAYS} else first end from open)
    and (match_id is null or match_id in (select id from weak))
  order by booked_on, id limit ${ROWS_MAX}`);

const movements = query<OpenMovement & { match: bigint | null }>(`
  with ${OPEN}
  select key, occurred_on::text as "on", amount, session_id as "sessionId", settlement_id as "settlementId",
    refs as "references", match_id as match
  from movements where account = $1 and not is_void
    and occurred_on >= (select case when isfinite(first) then first - ${BACK_DAYS} else first end from open)
    and (match_id is null or match_id in (select id from weak))
  order by occurred_on, key limit ${ROWS_MAX}`);

/** What can be matched in an account, the oldest first: what is in no match, or only in one by the amount. */
export async function readOpen(tx: Session, account: string) {
  const open = { lines: await lines(tx, [account]), movements: await movements(tx, [account]) };
  return { ...open, isAll: Math.max(open.lines.length, open.movements.length) < ROWS_MAX };
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

const around = query<{ account: string; match: bigint | null; n: number }>(`
  select account, match_id as match, count(*)::integer as n from lines where id = any($1::bigint[]) group by 1, 2
  union all
  select account, match_id, count(*)::integer from movements where key = any($2::text[]) group by 1, 2`);
/** The accounts of these lines and movements, the matches that they are in, and how many they are. */
export const readAround = (tx: Session, given: { lines: string[]; movements: string[] }) =>
  around(tx, [given.lines, given.movements]);

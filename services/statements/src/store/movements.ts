import { columns, query, type Session } from "@collect/database";
import type { Movement } from "../domain/movements.ts";
import type { Day } from "../domain/statement.ts";
import { shareDays } from "./closings.ts";

const LAGOS = "Africa/Lagos";
/** What our books have before an account's first statement may still be in it. */
const BEFORE_DAYS = 7;

const CLOSED = "closed as (select coalesce(max(day), '-infinity') as day from closings where reopened_at is null)";
/** The account that has what is `given`, if one has. */
const ACCOUNT = `
  cross join lateral (select (coalesce(given.booked_at, given.occurred_at) at time zone '${LAGOS}')::date as day) as known_on
  cross join lateral (
    select bank_accounts.number from bank_accounts
    cross join lateral (select min(from_on) as day from statements where account = bank_accounts.number) as first
    where (last_on is null or given.booked_at is not null) and case
        when not given.is_payout then bank = given.bank
        when exists (select from bank_accounts as named where named.payouts_of = given.bank) then payouts_of = given.bank
        else pays_out end
      and (known_on.day >= first.day or (known_on.day >= first.day - ${BEFORE_DAYS} and known_on.day > closed.day))
    order by coalesce(last_on < known_on.day, false), abs(last_on - known_on.day) limit 1) as account`;

/** Of a closed day, after a restore of payments too, nothing is filled in: the statement would be refused, and everything with it. */
const filledIn = (column: "session_id" | "settlement_id" | "kept") =>
  `${column} = coalesce(known.${column}, case when not is_closed(known.booked_on) then excluded.${column} end)`;
const upsert = query(`
  with ${CLOSED}
  insert into movements as known (key, account, amount, occurred_on, booked_on, is_void, session_id, settlement_id, refs, kept)
  select given.key, account.number, given.amount, (given.occurred_at at time zone '${LAGOS}')::date,
    greatest((given.booked_at at time zone '${LAGOS}')::date,
      case when given.booked_at is not null and closed.day > '-infinity' then closed.day + 1 end),
    given.is_void, given.session_id, given.settlement_id, array(select jsonb_array_elements_text(given.refs)), given.kept
  from unnest($1::text[], $2::text[], $3::boolean[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::boolean[], $8::text[], $9::text[],
    $10::jsonb[], $11::bigint[]) as given (key, bank, is_payout, amount, occurred_at, booked_at, is_void, session_id, settlement_id, refs, kept)
  cross join closed ${ACCOUNT}
  order by given.key
  on conflict (key) do update set
    booked_on = case when excluded.is_void then null else coalesce(known.booked_on, excluded.booked_on) end,
    is_void = excluded.is_void, ${filledIn("session_id")}, ${filledIn("settlement_id")}, ${filledIn("kept")}
  where (known.is_void, known.booked_on is null) is distinct from (excluded.is_void, excluded.booked_on is null)
    or ((known.kept is null or (known.settlement_id is null and excluded.settlement_id is not null)) and not is_closed(known.booked_on))`);

const move = query(`
  with ${CLOSED}
  update movements set account = account.number
  from unnest($1::text[], $2::text[], $3::boolean[], $4::timestamptz[], $5::timestamptz[]) as given (key, bank, is_payout, occurred_at, booked_at)
  cross join closed ${ACCOUNT}
  where movements.key = given.key and movements.account <> account.number and match_id is null and not is_closed(booked_on)`);

const contradicting = query<{ key: string }>(`
  select key from movements join unnest($1::text[], $2::bigint[]) as given (key, amount) using (key)
  where movements.amount <> given.amount`);

/**
 * Stores movements, or what has become of them since. Those of banks without an account here are passed over, and those from before its
 * first statement: a few days before it, they may be in it, unless those days are closed without the account. Our books have one on
 * the day of its posting, or, if that is closed, on the first day after it. What the bank settled it with may be known later: it is filled in
 * once, on an open day. Returns the keys of those that are stored with another
 * amount, which stays. What is of a day after the end of an account is of the one that took its place; until that has a statement it stays
 * with the former one, where no statement will ever show it. A payout moves to the account that has those of its partner, if that is named
 * or known later, while it is in no match and its day is open.
 */
export async function storeMovements(tx: Session, movements: Movement[]): Promise<string[]> {
  if (movements.length === 0) return [];
  // In a statement before: one that began before a closing has committed would put movements on the closed day, and be refused.
  await shareDays(tx);
  // What was settled since is in a page twice: one statement writes a row once.
  const latest = new Map(movements.map((movement) => [movement.key, movement]));
  const rows = [...latest.values()].map((movement) => ({ ...movement, refs: JSON.stringify(movement.references) }));
  await upsert(
    tx,
    columns(
      rows,
      ...(["key", "bank", "isPayout", "amount", "occurredAt", "bookedAt", "isVoid", "sessionId"] as const),
      ...(["settlementId", "refs", "kept"] as const),
    ),
  );
  const sent = rows.filter(({ isPayout, bank }) => isPayout && bank !== null);
  if (sent.length > 0) await move(tx, columns(sent, "key", "bank", "isPayout", "occurredAt", "bookedAt"));
  return (await contradicting(tx, columns(movements, "key", "amount"))).map(({ key }) => key);
}

const SLICE = 50_000;
const removeSlice = query<{ key: string }>(`
  delete from movements where key = any(array(
    select key from movements where account = $1 and not exists (select from statements where account = $1) limit ${SLICE}))
  returning key`);
/** Some of an account without a statement, in which they count nowhere. False once none is left. */
export const deleteUncovered = async (tx: Session, account: string) => (await removeSlice(tx, [account])).length > 0;

const removePending = query("delete from movements where account = $1 and match_id is null and booked_on is null");
/** What an account has under way: whichever account has it in the end is known then. */
export const deletePending = (tx: Session, account: string) => removePending(tx, [account]);

const lacking = query<{ first: Day | null; count: number }>(`
  select min(occurred_on)::text as first, count(*)::integer as count from movements
  where booked_on > coalesce((select max(day) from closings where reopened_at is null), '-infinity') and kept is null and not starts_with(key, 'trf_')`);
/** Of open days, what the release before has stored without what the bank kept of it: how many, and the first day of any. */
export async function readLacking(pool: Session): Promise<{ first: Day | null; count: number }> {
  const [row] = await lacking(pool, []);
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

export type Source = "accounts" | "payments";
export type Position = { at: string; key: string };
/** `generation` says whether it is still of the reading that began there. */
export type Start = Position & { generation: number };

const begin = query<Start>(`
  select to_char((at - interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') as at, '' as key, generation
  from positions where source = $1`);
/** Where to go on, a minute early, because rows commit out of order; undefined while there is no statement. */
export async function positionOf(pool: Session, source: Source): Promise<Start | undefined> {
  const [row] = await begin(pool, [source]);
  return row;
}

const goBack = query(`
  insert into positions as position (source, at, key, complete_to)
  select source, ($1::date - ${BEFORE_DAYS})::timestamp at time zone 'UTC', '', '-infinity' from unnest(array['accounts', 'payments']) as source
  order by source
  on conflict (source) do update set at = least(position.at, excluded.at), key = '', generation = position.generation + 1,
    complete_to = '-infinity'`);
const goBackInAccounts = query(`
  update positions set at = least(at, ($1::date - ${BEFORE_DAYS})::timestamp at time zone 'UTC'), key = '', generation = generation + 1,
    complete_to = '-infinity' where source = 'accounts'`);
/** Reads again what accounts knows from a day on. A reading at the same time begins anew. */
export const readAgainFrom = (pool: Session, day: Day) => goBackInAccounts(pool, [day]);

// Only what is read again, and nothing of a closed day.
const removeLater = query(`
  delete from movements using bank_accounts
  where bank_accounts.number = account and last_on is not null and match_id is null and occurred_on > $1::date - ${BEFORE_DAYS}
    and booked_on > greatest(last_on, (select max(day) from closings where reopened_at is null))`);
/**
 * Reads again what is known from a day on: what reached an account that has no statement is passed over. What came after the end of an
 * account may be of another one now. A reading at the same time waits for the position, and begins anew.
 */
export async function readFrom(tx: Session, day: Day): Promise<void> {
  await goBack(tx, [day]);
  await removeLater(tx, [day]);
}

const advance = query<{ source: string }>(`
  update positions set at = coalesce($2::timestamptz, at), key = coalesce($3::text, key), complete_to = greatest(complete_to, $4::timestamptz)
  where source = $1 and generation = $5 returning source`);
type Reached = { source: Source; at: Position | undefined; completeTo: string | null; generation: number };
/**
 * Everything up to this place was read, and if `completeTo` is there, everything before that instant. False if the reading has to begin
 * anew.
 */
export const setPosition = async (tx: Session, { source, at, completeTo, generation }: Reached): Promise<boolean> =>
  (await advance(tx, [source, at?.at ?? null, at?.key ?? null, completeTo, generation])).length > 0;

const complete = query<{ is_complete: boolean }>(`
  select count(*) filter (where complete_to >= $1::timestamptz + interval '5 minutes') = 2 as is_complete from positions`);
/** Whether everything before this instant has been read, even what was committed late. */
export async function isComplete(tx: Session, before: string): Promise<boolean> {
  const [row] = await complete(tx, [before]);
  return row?.is_complete ?? false;
}

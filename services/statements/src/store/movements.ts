import { columns, query, type Session } from "@collect/database";
import type { Movement } from "../domain/movements.ts";

const LAGOS = "Africa/Lagos";

const upsert = query(`
  with closed as (select coalesce(max(day), '-infinity') as day from closings where reopened_at is null)
  insert into movements as known (key, account, amount, occurred_on, booked_on, is_void, session_id, settlement_id, refs)
  select given.key, account.number, given.amount, (given.occurred_at at time zone '${LAGOS}')::date,
    greatest((given.booked_at at time zone '${LAGOS}')::date, case when given.booked_at is not null and closed.day > '-infinity' then closed.day + 1 end),
    given.is_void, given.session_id, given.settlement_id, array(select jsonb_array_elements_text(given.refs))
  from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::boolean[], $7::text[], $8::text[], $9::jsonb[])
    as given (key, bank, amount, occurred_at, booked_at, is_void, session_id, settlement_id, refs)
  cross join closed
  join bank_accounts as account on account.bank = given.bank or (given.bank is null and account.pays_out)
  order by given.key
  on conflict (key) do update set
    booked_on = case when excluded.is_void then null else coalesce(known.booked_on, excluded.booked_on) end,
    is_void = excluded.is_void
  where (known.is_void, known.booked_on is null) is distinct from (excluded.is_void, excluded.booked_on is null)`);

const contradicting = query<{ key: string }>(`
  select key from movements join unnest($1::text[], $2::bigint[]) as given (key, amount) using (key)
  where movements.amount <> given.amount`);

/**
 * Stores movements, or what has become of them since. Those of banks without an account here are passed over. Our books have one on
 * the day of its posting, or, if that is closed, on the first day after it. Returns the keys of those that are stored with another
 * amount, which stays.
 */
export async function storeMovements(tx: Session, movements: Movement[]): Promise<string[]> {
  if (movements.length === 0) return [];
  const rows = movements.map((movement) => ({ ...movement, refs: JSON.stringify(movement.references) }));
  await upsert(
    tx,
    columns(rows, "key", "bank", "amount", "occurredAt", "bookedAt", "isVoid", "sessionId", "settlementId", "refs"),
  );
  return (await contradicting(tx, columns(movements, "key", "amount"))).map(({ key }) => key);
}

export type Source = "accounts" | "payments";
export type Position = { at: string; key: string };

const begin = query<Position>(`
  select coalesce(
    (select to_char((at - interval '1 minute') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') from positions where source = $1),
    to_char(min(from_on) - interval '7 days', 'YYYY-MM-DD"T00:00:00.000000+00:00"')
  ) as at, '' as key
  from statements`);
/** Where to go on, a minute early, because rows commit out of order; undefined while there is no statement. */
export async function positionOf(pool: Session, source: Source): Promise<Position | undefined> {
  const [row] = await begin(pool, [source]);
  return row?.at ? row : undefined;
}

const advance = query(`
  insert into positions (source, at, key, complete_to) values ($1, $2, $3, '-infinity')
  on conflict (source) do update set at = excluded.at, key = excluded.key`);
export const setPosition = (tx: Session, source: Source, { at, key }: Position) => advance(tx, [source, at, key]);

const completed = query(`
  insert into positions (source, at, key, complete_to) values ($1, $2, $3, $4)
  on conflict (source) do update set complete_to = greatest(positions.complete_to, excluded.complete_to)`);
/** Everything before this instant was read, and nothing was after this place. */
export const setComplete = (tx: Session, source: Source, { at, key }: Position, instant: string) =>
  completed(tx, [source, at, key, instant]);

const complete = query<{ is_complete: boolean }>(`
  select count(*) filter (where complete_to >= $1::timestamptz + interval '5 minutes') = 2 as is_complete from positions`);
/** Whether everything before this instant has been read, even what was committed late. */
export async function isComplete(tx: Session, before: string): Promise<boolean> {
  const [row] = await complete(tx, [before]);
  return row?.is_complete ?? false;
}

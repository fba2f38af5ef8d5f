import type { Pool, Session, Transaction } from "./pool.ts";
import { columns, statement } from "./statement.ts";

/**
 * A fact that failed alone because of its data. Unique by consumer and natural key: another failure increments `times`.
 * Every service that consumes has this table:
 *   dead_letters(consumer text, natural_key text, subject text, fact text, error text, times int, first_at, last_at)
 */
export type DeadLetter = { consumer: string; natural_key: string; subject: string; fact: string; error: string };

const insert = statement(`
  insert into dead_letters as d (consumer, natural_key, subject, fact, error) values ($1, $2, $3, $4, $5)
  on conflict (consumer, natural_key) do update
    set subject = excluded.subject, fact = excluded.fact, error = excluded.error, times = d.times + 1, last_at = clock_timestamp()`);

export async function storeDeadLetter(pool: Pool, letter: DeadLetter): Promise<void> {
  const { consumer, natural_key, subject, fact, error } = letter;
  await insert(pool, [consumer, natural_key, subject, fact, error].map(storable));
}

/** A dead letter that cannot be stored would stop its consumer permanently, and PostgreSQL stores no text that contains a NUL. */
const storable = (text: string): string => text.replaceAll("\0", "\uFFFD");

const list = statement<{ consumer: string; natural_key: string; error: string; times: number; last_at: string }>(
  "select consumer, natural_key, error, times, last_at from dead_letters order by last_at desc, natural_key limit 200",
);
export const listDeadLetters = (pool: Pool) => list(pool);

/** Counted up to this: usually there are none. */
const COUNTED_MAX = 1_000;
const count = statement<{ consumer: string; count: number }>(`
  select consumer, count(*)::integer as count from (select consumer from dead_letters limit ${COUNTED_MAX}) some group by consumer`);

/** How many there are by consumer. */
export async function countDeadLetters(pool: Pool): Promise<Map<string, number>> {
  const rows = await count(pool);
  return new Map(rows.map((row) => [row.consumer, row.count]));
}

/** A dead letter that is being retried, and how many times it had failed by then. */
type Taken = DeadLetter & { times: number };

const take = statement<Taken>(`
  select consumer, natural_key, subject, fact, error, times from dead_letters
  where $1::text is null or natural_key = $1 order by consumer, natural_key limit 500 for update skip locked`);
export const takeDeadLetters = (tx: Transaction, naturalKey: string | null) => take(tx, [naturalKey]);

/** Those that have failed again since they were read are kept. */
const deleteUnchanged = statement(`
  delete from dead_letters d using unnest($1::text[], $2::text[], $3::integer[]) as gone (consumer, natural_key, times)
  where (d.consumer, d.natural_key, d.times) = (gone.consumer, gone.natural_key, gone.times)`);
export async function deleteDeadLetters(tx: Transaction, letters: Taken[]): Promise<void> {
  await deleteUnchanged(tx, columns(letters, "consumer", "natural_key", "times"));
}

/** Refused letters by key or by the beginning of their keys: all of them or, if there are others than expected, none. */
const discard = statement<{ found: number; discarded: number }>(`
  with found as (
    select consumer, natural_key from dead_letters
    where (natural_key = $1 or natural_key ^@ $2) and natural_key ^@ any($4::text[])
    order by consumer, natural_key for update
  ), discarded as (
    delete from dead_letters d using found f
    where (d.consumer, d.natural_key) = (f.consumer, f.natural_key)
      and ($3::integer is null or $3 = (select count(*) from found))
    returning true
  )
  select (select count(*) from found)::integer as found, (select count(*) from discarded)::integer as discarded`);

/** `count` is null where any number may be deleted; `refusals` are the beginnings of the keys of what is no fact. */
export async function discardDeadLetters(
  pool: Pool,
  selected: { naturalKey: string | null; prefix: string | null; count: number | null; refusals: string[] },
): Promise<{ found: number; discarded: number }> {
  const { naturalKey, prefix, count, refusals } = selected;
  const [row] = await discard(pool, [naturalKey, prefix, count, refusals]);
  return row ?? { found: 0, discarded: 0 };
}

/** Those about facts that were handled since, whatever their consumer: they contain data of a person who is erased. */
const erase = statement("delete from dead_letters where natural_key = any($1::text[])");
export const eraseDeadLetters = (session: Session, naturalKeys: string[]) => erase(session, [naturalKeys]);

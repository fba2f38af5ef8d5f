import { FOUND_MAX, SEARCHED_MAX } from "@collect/contracts";
import { type Pool, query } from "@collect/database";

/**
 * Branches of the statements that search for people. $1 and $2 are the merchant and the mode, $3 is what was typed. Each branch reads
 * at most `max` rows in the order of one index, so that a common name or amount costs as much as a rare one: FOUND_MAX for the
 * search over everything, and one more than SEARCHED_MAX for a list, which shows that there are more.
 */

export const OWN = "merchant_id = $1 and mode = $2";
export const MAX = `limit ${FOUND_MAX}`;
export const LISTED = `limit ${SEARCHED_MAX + 1}`;

/** The keys of what a list shows for a text, and whether the text names more than that. */
export type Searched = { keys: string[]; isPartial: boolean };

/** The search of one list: the keys of the newest of these branches. `isCut` says that a branch did not read all. */
export function searchOf(
  branches: string,
  { key, newest, isCut = "false" }: { key: string; newest: string; isCut?: string },
) {
  const keysOf = query<{ keys: string[]; isCut: boolean }>(
    `select array(select ${key}::text from (${branches}) as found order by ${newest} ${LISTED}) as keys, ${isCut} as "isCut"`,
  );
  return async (pool: Pool, parameters: unknown[]): Promise<Searched> => {
    const [{ keys, isCut } = { keys: [], isCut: false }] = await keysOf(pool, parameters);
    return { keys: keys.slice(0, SEARCHED_MAX), isPartial: isCut || keys.length > SEARCHED_MAX };
  };
}

/** The last code point of Unicode, which sorts after every other. */
const LAST = "chr(1114111)";
const LOWER = `lower($3::text collate "pg_c_utf8")`;

/** Begins with the text, case and all: the range is where an index starts and ends, in whatever collation it is. */
export const begins = (column: string, max = MAX) =>
  `${column} >= $3 and ${column} < $3 || ${LAST} and starts_with(${column}, $3) order by ${column} ${max}`;

/**
 * Our reference begins with the text. One index has the references of all merchants, so its first 1,000 are read, and then the
 * merchant's own among them: that is all of them once a few of the random characters are typed.
 */
const FIRST = 1_000;
export const ofReferences = (table: string, where: string, max = MAX) =>
  `select * from (select * from ${table} where ${begins("reference", `limit ${FIRST}`)}) as first where ${where} ${max}`;

/** Whether more references begin with the text than are read. */
export const hasMoreReferences = (table: string) =>
  `exists (select from ${table} where ${begins("reference", `offset ${FIRST}`)})`;

/** Begins with the text in any case: the expression of an index. */
const beginsInLower = (expression: string, max: string) =>
  `${expression} >= ${LOWER} and ${expression} < ${LOWER} || ${LAST} order by ${expression} ${max}`;

export const beginsInAnyCase = (column: string, max = MAX) =>
  beginsInLower(`lower(${column} collate "pg_c_utf8")`, max);

/** Begins with the text from the n-th word on: the expression of an index. */
export function wordBegins(column: string, word: 2 | 3, max = MAX): string {
  const words = `words_from(${column}, ${word}) collate "pg_c_utf8"`;
  return `${words} <> '' and ${beginsInLower(words, max)}`;
}

/** A value of the metadata: the terms have merchant and mode in them. GIN has no order: up to 1,000 are
 * found (`gin_fuzzy_search_limit` of the pool), and of the first 200, or those of a list, the newest are taken. */
export const ofMetadata = (table: string, key: string, max = MAX) => `
  (select ${key}, created_at from (
    select ${key}, created_at from ${table}
    where metadata <> '{}' and metadata_terms(merchant_id, mode, metadata) @> metadata_terms($1, $2, jsonb_build_object('', $3::text))
    ${max === MAX ? "limit 200" : max}
  ) as tagged order by created_at desc ${max})`;

/**
 * The newest of each amount in a range. Written as a range and in the order of the index on amounts, because the planner does not
 * know the amount: if most rows have one amount, it would look for a rare one among all rows by time.
 */
export const ofAmounts = (
  table: string,
  { from, to, where, newest }: { from: string; to: string; where: string; newest: [time: string, key: string] },
  max = MAX,
) => `
  select priced.* from generate_series(${from}::bigint, ${to}::bigint) as wanted (amount) cross join lateral (
    select ${newest[1]}, ${newest[0]} from ${table} where ${where} and amount between wanted.amount and wanted.amount
    order by amount, ${newest[0]} desc, ${newest[1]} desc ${max}) as priced`;

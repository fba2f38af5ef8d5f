import { FOUND_MAX } from "@collect/contracts";

/**
 * Branches of the statements that search for people. $1 and $2 are the merchant and the mode, $3 is what was typed. Each branch reads
 * at most FOUND_MAX rows in the order of one index, so that a common name or amount costs as much as a rare one.
 */

export const OWN = "merchant_id = $1 and mode = $2";
export const MAX = `limit ${FOUND_MAX}`;
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
export const ofReferences = (table: string, where: string) =>
  `select * from (select * from ${table} where ${begins("reference", "limit 1000")}) as first where ${where} ${MAX}`;

/** Begins with the text in any case: the expression of an index. */
const beginsInLower = (expression: string) =>
  `${expression} >= ${LOWER} and ${expression} < ${LOWER} || ${LAST} order by ${expression} ${MAX}`;

export const beginsInAnyCase = (column: string) => beginsInLower(`lower(${column} collate "pg_c_utf8")`);

/** Begins with the text from the n-th word on: the expression of an index. */
export function wordBegins(column: string, word: 2 | 3): string {
  const words = `words_from(${column}, ${word}) collate "pg_c_utf8"`;
  return `${words} <> '' and ${beginsInLower(words)}`;
}

/** A value of the metadata: the terms have merchant and mode in them. GIN has no order: up to 1,000 are
 * found (`gin_fuzzy_search_limit` of the pool), and of the first 200 the newest are taken. */
export const ofMetadata = (table: string, key: string) => `
  (select ${key}, created_at from (
    select ${key}, created_at from ${table}
    where metadata <> '{}' and metadata_terms(merchant_id, mode, metadata) @> metadata_terms($1, $2, jsonb_build_object('', $3::text))
    limit 200
  ) as tagged order by created_at desc ${MAX})`;

/**
 * The newest of each amount in a range. Written as a range and in the order of the index on amounts, because the planner does not
 * know the amount: if most rows have one amount, it would look for a rare one among all rows by time.
 */
export const ofAmounts = (
  table: string,
  { from, to, where, newest }: { from: string; to: string; where: string; newest: [time: string, key: string] },
) => `
  select priced.* from generate_series(${from}::bigint, ${to}::bigint) as wanted (amount) cross join lateral (
    select ${newest[1]}, ${newest[0]} from ${table} where ${where} and amount between wanted.amount and wanted.amount
    order by amount, ${newest[0]} desc, ${newest[1]} desc ${MAX}) as priced`;

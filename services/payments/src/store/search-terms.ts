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
export const begins = (column: string) =>
  `${column} >= $3 and ${column} < $3 || ${LAST} and starts_with(${column}, $3) order by ${column} ${MAX}`;

/** Begins with the text in any case: the expression of an index. */
const beginsInLower = (expression: string) =>
  `${expression} >= ${LOWER} and ${expression} < ${LOWER} || ${LAST} order by ${expression} ${MAX}`;

export const beginsInAnyCase = (column: string) => beginsInLower(`lower(${column} collate "pg_c_utf8")`);

/** Begins with the text from the n-th word on: the expression of an index. */
export function wordBegins(column: string, word: 2 | 3): string {
  const words = `words_from(${column}, ${word}) collate "pg_c_utf8"`;
  return `${words} <> '' and ${beginsInLower(words)}`;
}

/** A value of the metadata: the terms have merchant and mode in them. The index reads all that match, and 200 are enough. */
export const ofMetadata = (table: string, key: string) => `
  (select ${key}, created_at from (
    select ${key}, created_at from ${table}
    where metadata <> '{}' and metadata_terms(merchant_id, mode, metadata) @> metadata_terms($1, $2, jsonb_build_object('', $3::text))
    limit 200
  ) as tagged order by created_at desc ${MAX})`;

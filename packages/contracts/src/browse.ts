import { z } from "zod";
import { UtcInstant } from "./fields.ts";
import { NairaQuery } from "./merchant-api/collections.ts";
import { Cursor, wholeNumber } from "./merchant-api/lists.ts";
import { Problem } from "./problem.ts";

/** Lists for people, paginated by cursor: the last page costs as much as the first, and nothing is counted. */

/** Which page: 50 rows by default, 500 at most. */
export const Browse = z.object({
  limit: wholeNumber(1)
    .default(50)
    .transform((limit) => Math.min(limit, 500)),
  after: Cursor.optional(),
});

/** A time span: at or after `from`, and before `before`. */
export const Span = z.object({ from: UtcInstant.optional(), before: UtcInstant.optional() });

/** From and to, both included, in naira. */
export const AmountRange = z.object({ amount_from: NairaQuery.optional(), amount_to: NairaQuery.optional() });

/** How many rows can be selected at once. */
export const SELECTED_MAX = 100;

/** These rows, by the keys of the list and separated by commas: what was selected in it. */
export const Selected = z.object({
  references: z
    .string()
    .transform((references) => references.split(","))
    .pipe(z.array(z.string().min(1).max(100)).max(SELECTED_MAX))
    .optional(),
});

/** What a person looks for, as in the search of the dashboard: an amount, a reference or its beginning, a word of a name. */
export const SearchText = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters");
export const Search = SearchText.optional();
/** As many rows as a list shows of what a search finds by names, beginnings of references and metadata. */
export const SEARCHED_MAX = 200;

/** One page, newest first; `next` is null on the last one. Rows are without metadata: 500 of them would exceed a message. */
export const browseOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    next: z.string().nullable(),
    /** The search found more than `SEARCHED_MAX`, and the list has some of them. */
    is_partial: z.boolean().optional(),
  });

/** What a list comes to; null above 10,000 rows, which are not counted. */
export const totalsOf = <Sums extends z.ZodRawShape>(sums: Sums) =>
  z.object({ totals: z.object({ count: z.int(), ...sums }).nullable() });

/** One page of rows that were read with `limit + 1`; `cursor` returns the sort keys of a row, in the order of the list. */
export function toPage<Row, Item>(
  rows: Row[],
  {
    limit,
    cursor,
    toResponse,
  }: { limit: number; cursor: (row: Row) => (string | number | bigint)[]; toResponse: (row: Row) => Item },
): { data: Item[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last && rows.length > limit ? encodeCursor(cursor(last)) : null;
  return { data: page.map(toResponse), next };
}

/** A cursor of these sort keys, which decodeCursor reads. */
export const encodeCursor = (keys: (string | number | bigint)[]) =>
  Buffer.from(JSON.stringify(keys.map(String))).toString("base64url");

/**
 * The sort keys in a cursor, parsed with one schema per key; undefined for the first page. A cursor that the caller made up is
 * refused here, before it reaches a statement that cannot parse it.
 */
export function decodeCursor(cursor: string | undefined, schemas: z.ZodType<string>[]): string[] | undefined {
  if (cursor === undefined) return undefined;
  const parsed = SortKeys.safeParse(attempt(() => JSON.parse(Buffer.from(cursor, "base64url").toString())));
  const keys = parsed.success && parsed.data.length === schemas.length && parseEach(schemas, parsed.data);
  if (keys) return keys;
  throw foreignCursor();
}

/** The cursor was made up, or is of another list: continued here, rows would be skipped or repeated. */
export const foreignCursor = () =>
  new Problem("validation_failed", "The cursor is not valid for this list.", {
    errors: [{ param: "after", code: "invalid", message: "must be the next of another page of this list" }],
  });

/** The sort key of a list whose keys begin with this. */
export const keyWith = (prefix: string) => z.string().startsWith(prefix);

const SortKeys = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
  )
  .max(4);

function parseEach(schemas: z.ZodType<string>[], values: string[]): string[] | undefined {
  const results = schemas.map((schema, index) => schema.safeParse(values[index]));
  const keys = results.flatMap(({ success, data }) => (success ? [data] : []));
  return keys.length === schemas.length ? keys : undefined;
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

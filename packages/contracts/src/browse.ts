import { z } from "zod";
import { UtcInstant } from "./fields.ts";
import { wholeNumber } from "./merchant-api/lists.ts";
import { Problem } from "./problem.ts";

/** Lists for people. They are walked by cursor, so the millionth row is as near as the first; nothing is counted. */

/** Where a page ended; only the service that gave it can read it. */
const Cursor = z
  .string()
  .max(1_000)
  .regex(/^[\w-]+$/, "must be the next of another page");

/** Which page: 50 rows unless said otherwise, never more than 500. */
export const Browse = z.object({
  limit: wholeNumber(1)
    .default(50)
    .transform((limit) => Math.min(limit, 500)),
  after: Cursor.optional(),
});

/** A time span: at or after `from`, and before `before`. */
export const Span = z.object({ from: UtcInstant.optional(), before: UtcInstant.optional() });

/** What a person typed to find a row: a whole reference, or how a name begins. */
export const Search = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, "must not contain control characters")
  .optional();

/** One page, newest first; `next` is null on the last one. */
export const browseOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), next: z.string().nullable() });

/** The page of rows of which one more than asked for were read; `place` says where a row stands in the order of the list. */
export function toPage<Row, Shown>(
  rows: Row[],
  {
    limit,
    place,
    show,
  }: { limit: number; place: (row: Row) => (string | number | bigint)[]; show: (row: Row) => Shown },
): { data: Shown[]; next: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last && rows.length > limit ? cursorOf(place(last)) : null;
  return { data: page.map(show), next };
}

const cursorOf = (place: (string | number | bigint)[]) =>
  Buffer.from(JSON.stringify(place.map(String))).toString("base64url");

/**
 * The place that a cursor names in a list, as the schemas of its sort keys read it; nothing on the first page. A cursor that
 * a caller made up is refused before it reaches a statement that cannot read it.
 */
export function decodeCursor(cursor: string | undefined, keys: z.ZodType<string>[]): string[] | undefined {
  if (cursor === undefined) return undefined;
  const given = Place.safeParse(attempt(() => JSON.parse(Buffer.from(cursor, "base64url").toString())));
  const place = given.success && given.data.length === keys.length && readBy(keys, given.data);
  if (place) return place;
  throw new Problem("validation_failed", "The cursor is not valid for this list.", {
    errors: [{ param: "after", code: "invalid", message: "must be the next of another page" }],
  });
}

const Place = z
  .array(
    z
      .string()
      .max(200)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u),
  )
  .max(4);

function readBy(keys: z.ZodType<string>[], given: string[]): string[] | undefined {
  const read = keys.map((key, index) => key.safeParse(given[index]));
  const place = read.flatMap(({ success, data }) => (success ? [data] : []));
  return place.length === keys.length ? place : undefined;
}

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch {
    return undefined;
  }
}

import { z } from "zod";
import { Mode } from "../fields.ts";
import { invalidFields } from "../problem.ts";
import { CREATED_AT } from "./story.ts";

/** Times of the merchant API: RFC 3339, numeric offset, milliseconds. */
export const Timestamp = z.iso.datetime({ offset: true }).meta({ examples: [CREATED_AT] });

/** Larger limits are clamped and the effective value is echoed. Values in query strings are digits; anything else is refused. */
export const wholeNumber = (minimum: number) =>
  z.coerce
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(minimum));

/** Where a page ended; opaque to every service but the one that issued it. */
export const Cursor = z
  .string()
  .max(1_000)
  .regex(/^[\w-]+$/, "must be the next of another page of this list");

/** Which page of a list: 20 rows by default, 100 at most. */
export const CursorPage = z.object({
  limit: wholeNumber(1)
    .default(20)
    .transform((limit) => Math.min(limit, 100)),
  after: Cursor.optional().meta({
    description: "The `next` of another page of this list, read with the same filters.",
  }),
});

/** The same of the specification's lists, which also go by offset. */
export const Page = CursorPage.extend({
  offset: wholeNumber(0).default(0).meta({
    description:
      "How many of the newest to skip. Rows that are added meanwhile move such a page, and a large offset is slow: prefer `after`, which cannot be combined with it.",
  }),
});

/** A page begins after another one, or at an offset. */
export function assertOneStart({ after, offset }: { after?: string | undefined; offset: number }): void {
  if (after !== undefined && offset > 0)
    throw invalidFields([
      { param: "offset", code: "invalid", message: "cannot be combined with after; leave one of them out" },
    ]);
}

/** What every page says about itself. */
export const Limit = z
  .int()
  .meta({ description: "The most rows that the page can have: yours, or 100 if that is less." });
export const HasMore = z.boolean().meta({ description: "Whether there are rows after this page." });

/** One page of a list, newest first: rows that are added meanwhile do not move it. */
export const cursorListOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row).meta({ description: "The page: newest first, where no parameter says otherwise." }),
    limit: Limit,
    has_more: HasMore,
    next: z.string().nullable().meta({ description: "The `after` of the next page; null on the last one." }),
    mode: Mode,
  });

/** The same of the specification's lists. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  cursorListOf(row).extend({
    offset: z.int().meta({ description: "How many of the newest rows were skipped; 0 with `after`." }),
  });

/** The same of a page for the dashboard. */
export function cursorPageOf<Row>(
  { data, next }: { data: Row[]; next: string | null },
  { limit, mode }: { limit: number; mode: Mode },
) {
  return { data, limit, has_more: next !== null, next, mode };
}

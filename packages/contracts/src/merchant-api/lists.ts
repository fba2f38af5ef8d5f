import { z } from "zod";
import { Mode } from "../fields.ts";
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

/** Which page of a list: 20 rows by default, 100 at most. */
export const Page = z.object({
  limit: wholeNumber(1)
    .default(20)
    .transform((limit) => Math.min(limit, 100)),
  offset: wholeNumber(0).default(0),
});

/** One page of a list, newest first. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), limit: z.int(), offset: z.int(), has_more: z.boolean(), mode: Mode });

/** One page of rows that were read with `limit + 1`: the extra row says whether there are more. */
export function pageOf<Row, Shown>(
  rows: Row[],
  { limit, offset, mode, show }: { limit: number; offset: number; mode: Mode; show: (row: Row) => Shown },
) {
  return { data: rows.slice(0, limit).map(show), limit, offset, has_more: rows.length > limit, mode };
}

import { decodeCursor, keyWith, UtcInstant } from "@collect/contracts";

/**
 * A page of a list that is ordered by a time and a key, newest first: rows at or after `from`, and before a time or, at that
 * time, before a key.
 */
export type Page = { from: Date | undefined; before: Date; key: string; limit: number };

/** No row is as late. */
const END_OF_TIME = "9999-12-31T23:59:59.999+00:00";

/**
 * The requested page of a list whose keys begin with `prefix`, and one more row, which shows whether another page follows. A
 * cursor and `before` both set the upper end, and the earlier of the two applies. Instants are formatted so that they sort as text.
 */
export function requestedPage(
  prefix: "pay_" | "trf_" | "bat_" | "int_",
  request: {
    limit: number;
    after?: string | undefined;
    from?: string | undefined;
    before?: string | undefined;
  },
): Page {
  const [at, key] = decodeCursor(request.after, [UtcInstant, keyWith(prefix)]) ?? [];
  const isBehind = at !== undefined && key !== undefined && !(request.before && request.before < at);
  return {
    from: request.from === undefined ? undefined : millisecond(request.from),
    before: millisecond(isBehind ? at : (request.before ?? END_OF_TIME)),
    key: isBehind ? key : "",
    limit: request.limit + 1,
  };
}

/** A time span as it is compared with rows: at or after `from`, and before `before`. */
export type Span = { from: Date | undefined; before: Date | undefined };

export const spanOf = ({ from, before }: { from?: string | undefined; before?: string | undefined }): Span => ({
  from: from === undefined ? undefined : millisecond(from),
  before: before === undefined ? undefined : millisecond(before),
});

/**
 * Rows are kept to the millisecond, and asked for to the microsecond. Rounded up, because nothing lies between two
 * milliseconds: what is before 09:30:00.1235 is before 09:30:00.124, and what is not, not.
 */
function millisecond(instant: string): Date {
  const [, finer = ""] = /\.\d{3}(\d+)/.exec(instant) ?? [];
  return new Date(Date.parse(instant) + (/[1-9]/.test(finer) ? 1 : 0));
}

/**
 * The times of a page. They are where an index begins to read, however far down the page is; what of the last moment is not
 * behind the key is left out by the query.
 */
export const within = ({ from, before }: Page) => ({ ...(from && { gte: from }), lte: before });

/**
 * Whether a row can contain this text. Text with control characters matches no row, and PostgreSQL rejects some of it
 * as a parameter.
 */
export const isStorable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

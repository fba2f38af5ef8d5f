import { decodeCursor, UtcInstant } from "@collect/contracts";
import { z } from "zod";

/**
 * A page of a list that is ordered by a time and a key, newest first: rows at or after `from` that follow the position
 * `after`. Both columns are compared as one row value, so the index scan starts at the page, however deep it is.
 */
export type Page = { from: string; after: [at: string, key: string]; limit: number };

/** As the parameters $3 to $6, after merchant and mode. */
export const pageValues = ({ from, after, limit }: Page): unknown[] => [from, ...after, limit];

/**
 * The requested page and one more row, which shows whether another page follows. A cursor and `before` both set the
 * upper end, and the earlier of the two applies. Instants are formatted so that they sort as text.
 */
export function requestedPage(request: {
  limit: number;
  after?: string | undefined;
  from?: string | undefined;
  before?: string | undefined;
}): Page {
  const before: Page["after"] = [request.before ?? "infinity", ""];
  const [at, key] = decodeCursor(request.after, [UtcInstant, z.string()]) ?? [];
  const isCursor = at !== undefined && key !== undefined && !(request.before && request.before < at);
  return {
    from: request.from ?? "-infinity",
    after: isCursor ? [at, key] : before,
    limit: request.limit + 1,
  };
}

/**
 * Whether a row can contain this text. Text with control characters matches no row, and PostgreSQL rejects some of it
 * as a parameter.
 */
export const isStorable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

import { decodeCursor, UtcInstant } from "@collect/contracts";
import { z } from "zod";

/**
 * A page of a list that is ordered by a time and a key, newest first: rows at or after `from` and behind a place. One
 * comparison of both columns is where an index starts to read, however far down the page is.
 */
export type Page = { from: string; behind: [at: string, key: string]; limit: number };

/** As the parameters $3 to $6, after merchant and mode. */
export const pageValues = ({ from, behind, limit }: Page): unknown[] => [from, ...behind, limit];

/**
 * The page that was asked for, and one row more, which says whether there is another. A cursor and `before` are the same
 * kind of end: the earlier one counts. Moments are written so that their texts sort as they do.
 */
export function pageAsked(asked: {
  limit: number;
  after?: string | undefined;
  from?: string | undefined;
  before?: string | undefined;
}): Page {
  const before: Page["behind"] = [asked.before ?? "infinity", ""];
  const [at, key] = decodeCursor(asked.after, [UtcInstant, z.string()]) ?? [];
  const isBehind = at !== undefined && key !== undefined && !(asked.before && asked.before < at);
  return {
    from: asked.from ?? "-infinity",
    behind: isBehind ? [at, key] : before,
    limit: asked.limit + 1,
  };
}

/** Whether a text can stand in a row at all. What cannot is found nowhere, and PostgreSQL cannot always be asked for it. */
export const isStorable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

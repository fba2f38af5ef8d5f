import { decodeCursor, UtcInstant } from "@collect/contracts";
import { z } from "zod";

/** Both logs are in descending order of one number, and within a span of time in that of their times and numbers. */
export type Page = { below: string; span: Span | undefined };
/** Rows at or after `from`, and before a time or, at that time, below the number of the page. */
export type Span = { from: string; before: string };

const FIRST_PAGE = "9223372036854775807";

type Requested = { after?: string | undefined; from?: string | undefined; before?: string | undefined };

/** A cursor and `before` both set the upper end, and the earlier of the two applies: instants sort as text. */
export function requestedPage({ after, from, before }: Requested): Page {
  if (from === undefined && before === undefined) {
    const [below = FIRST_PAGE] = decodeCursor(after, [Number64]) ?? [];
    return { below, span: undefined };
  }
  const [at, number] = decodeCursor(after, [UtcInstant, Number64]) ?? [];
  const isBehind = at !== undefined && number !== undefined && !(before && before < at);
  return {
    below: isBehind ? number : "0",
    span: { from: from ?? "-infinity", before: isBehind ? at : (before ?? "infinity") },
  };
}

/** The keys of a row that a cursor of this page contains. */
export const placeIn = ({ span }: Page, number: bigint, createdAt: string) => (span ? [createdAt, number] : [number]);

/** The search text as a number, if it is one. */
export function searchedNumber(search: string | undefined): string | undefined {
  return search !== undefined && isNumber(search) ? search : undefined;
}

/** Those that are numbers: no other row can have been selected. */
export const numbersAmong = (references: string[]): string[] => references.filter(isNumber);

/** Whether it fits into 64 bits. */
function isNumber(text: string): boolean {
  return text === FIRST_PAGE || /^\d{1,18}$/.test(text);
}
const Number64 = z.string().refine(isNumber);

/** PostgreSQL cannot store NUL, so text that contains it matches nothing: it is replaced by a character that is never stored either. */
export function storable<Text extends string | undefined>(text: Text): Text | string {
  return text === undefined ? text : text.replaceAll("\0", "\uFFFD");
}

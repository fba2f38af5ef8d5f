import { decodeCursor } from "@collect/contracts";
import { z } from "zod";

/** Both lists are in descending order of one number. */
const FIRST_PAGE = "9223372036854775807";

/** The exclusive upper bound of a page. */
export function pageBound(after: string | undefined): string {
  const [number = FIRST_PAGE] = decodeCursor(after, [z.string().refine(isNumber)]) ?? [];
  return number;
}

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

/** PostgreSQL cannot store NUL, so text that contains it matches nothing: it is replaced by a character that is never stored either. */
export function storable<Text extends string | undefined>(text: Text): Text | string {
  return text === undefined ? text : text.replaceAll("\0", "\uFFFD");
}

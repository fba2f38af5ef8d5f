import { decodeCursor } from "@collect/contracts";
import { z } from "zod";

/** Both lists run down by one number. */
const FIRST_PAGE = "9223372036854775807";

/** The number below which a page begins. */
export function numberBefore(after: string | undefined): string {
  const [place = FIRST_PAGE] = decodeCursor(after, [z.string().refine(isNumber)]) ?? [];
  return place;
}

/** The number that was typed, where it is one. */
export function numberSought(search: string | undefined): string | undefined {
  return search !== undefined && isNumber(search) ? search : undefined;
}

/** One that fits into 64 bits. */
function isNumber(text: string): boolean {
  return text === FIRST_PAGE || /^\d{1,18}$/.test(text);
}

/** PostgreSQL stores no NUL, so whatever has one names nothing: it is looked for as a character that is not used either. */
export function storable<Text extends string | undefined>(text: Text): Text | string {
  return text === undefined ? text : text.replaceAll("\0", "\uFFFD");
}

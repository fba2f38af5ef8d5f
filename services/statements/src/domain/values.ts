import { type Kobo, MAX_KOBO } from "@collect/money";
import { inLagos } from "./calendar.ts";
import type { Day } from "./statement.ts";

/** How banks write days in their own exports. */
export const DATE_FORMATS = {
  "yyyy-MM-dd": /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/,
  "dd/MM/yyyy": /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})/,
  "MM/dd/yyyy": /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})/,
  "dd-MM-yyyy": /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})/,
  "dd-MMM-yyyy": /^(?<day>\d{1,2})[- ](?<name>[A-Za-z]{3})[- ](?<year>\d{4})/,
  "dd-MMM-yy": /^(?<day>\d{1,2})[- ](?<name>[A-Za-z]{3})[- ](?<year>\d{2})(?!\d)/,
  /** A cell of a workbook that is a date: the number of days since the end of 1899. */
  serial: /^(?<serial>\d{5})(?:\.\d+)?$/,
} as const;
export type DateFormat = keyof typeof DATE_FORMATS;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const DAY_MS = 86_400_000;
const UNIX_EPOCH_SERIAL = 25_569;

/** The day in this format, in Lagos if a time with an offset is after it; any other time is ignored. Undefined if it is none. */
export function parseDay(text: string, format: DateFormat): Day | undefined {
  const found = DATE_FORMATS[format].exec(inLagos(text.trim()));
  const { year = "", month, name = "", day = "", serial } = found?.groups ?? {};
  if (serial !== undefined) return known(new Date((Number(serial) - UNIX_EPOCH_SERIAL) * DAY_MS).toISOString());
  return dayOf(year, month ?? String(MONTHS.indexOf(name.toLowerCase()) + 1), day);
}

/** A day from its digits; a year of two digits is of this century. Undefined if there is no such day. */
export function dayOf(year: string, month: string, day: string): Day | undefined {
  const text = `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : known(text);
}

/** No bank exports a day of another century: that is a damaged date. */
const known = (time: string): Day | undefined => (time.startsWith("20") ? time.slice(0, 10) : undefined);

const AMOUNT = /^(?:₦|NGN ?)?(-?)(?:₦|NGN ?)?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/;
const IN_PARENTHESES = /^\((.*)\)$/;

/** Kobo from `2,500.73`, `-2500.7`, `2500`, `₦2,500` or, as accountants write what is negative, `(2,500.73)`. Undefined for anything else. */
export function parseAmount(text: string): Kobo | undefined {
  const [, sign, whole = "", fraction = ""] = AMOUNT.exec(text.trim().replace(IN_PARENTHESES, "-$1")) ?? [];
  if (sign === undefined || whole.length > 20) return undefined;
  const amount = BigInt(whole.replaceAll(",", "")) * 100n + BigInt(fraction.padEnd(2, "0"));
  if (amount > MAX_KOBO) return undefined;
  return sign ? -amount : amount;
}

import { type Kobo, MAX_KOBO } from "@collect/money";
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

/** The day in this format; a time after it is ignored. Undefined if it is none. */
export function parseDay(text: string, format: DateFormat): Day | undefined {
  const { year = "", month, name = "", day = "", serial } = DATE_FORMATS[format].exec(text.trim())?.groups ?? {};
  if (serial !== undefined) return new Date((Number(serial) - UNIX_EPOCH_SERIAL) * DAY_MS).toISOString().slice(0, 10);
  return dayOf(year, month ?? String(MONTHS.indexOf(name.toLowerCase()) + 1), day);
}

/** A day from its digits; a year of two digits is of this century. Undefined if there is no such day. */
export function dayOf(year: string, month: string, day: string): Day | undefined {
  const text = `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}

const AMOUNT = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/;

/** Kobo from `2,500.73`, `-2500.7` or `2500`. Undefined for anything else. */
export function parseAmount(text: string): Kobo | undefined {
  const [, sign, whole = "", fraction = ""] = AMOUNT.exec(text.trim()) ?? [];
  if (sign === undefined || whole.length > 20) return undefined;
  const amount = BigInt(whole.replaceAll(",", "")) * 100n + BigInt(fraction.padEnd(2, "0"));
  if (amount > MAX_KOBO) return undefined;
  return sign ? -amount : amount;
}

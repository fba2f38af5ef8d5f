/**
 * Every time of the dashboard is Lagos time, whatever the browser's time zone, and says so: WAT. Lagos has no daylight saving time.
 */
const LAGOS = { timeZone: "Africa/Lagos" } as const;
const OFFSET = "+01:00";
const DAY_MS = 86_400_000;

const EXACT = { dateStyle: "medium", timeStyle: "medium" } as const;
const exact = new Intl.DateTimeFormat("en-GB", { ...LAGOS, ...EXACT });
const minute = new Intl.DateTimeFormat("en-GB", {
  ...LAGOS,
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const date = new Intl.DateTimeFormat("en-GB", { ...LAGOS, day: "numeric", month: "short", year: "numeric" });
const precise = new Intl.DateTimeFormat("en-GB", {
  ...LAGOS,
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
const day = new Intl.DateTimeFormat("en-CA", { ...LAGOS, year: "numeric", month: "2-digit", day: "2-digit" });

/** To the second: `21 Nov 2026, 10:30:00 WAT`. */
export const exactTime = (at: string): string => `${exact.format(new Date(at))} WAT`;

/** To the minute, for what is due soon: `Sat 21 Nov 10:30 WAT`. */
export const dueTime = (at: string): string => `${minute.format(new Date(at)).replaceAll(",", "")} WAT`;

/** To the millisecond, for what happened in one go: `21 Nov, 10:30:00.120 WAT`. */
export const preciseTime = (at: string): string => `${precise.format(new Date(at))} WAT`;

/** `21 Nov 2026`. */
export const dateOf = (at: string | number): string => date.format(new Date(at));

/** `1–7 Nov 2026`. */
export const datesOf = (first: number, last: number): string => date.formatRange(first, last);

/** The Lagos day of an instant: `2026-11-21`. */
export const lagosDay = (at: string | number): string => day.format(new Date(at));

/** The instant at which a Lagos day begins, or the one `plus` days after it. */
export const startOfLagosDay = (day: string, plus = 0): string =>
  new Date(Date.parse(`${day}T00:00:00${OFFSET}`) + plus * DAY_MS).toISOString();

/** The instant that a date and time without a zone, as pickers give it, are in Lagos: `2026-11-21 10:30:00`. */
export const lagosInstant = (picked: string): string => new Date(`${picked.replace(" ", "T")}${OFFSET}`).toISOString();

/** For the hover: the Lagos time, and the browser's own where it differs. */
export function bothTimes(at: string, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const local = new Intl.DateTimeFormat("en-GB", { ...EXACT, timeZone }).format(new Date(at));
  return `${exactTime(at)}${local === exact.format(new Date(at)) ? "" : `\n${local} in your time zone (${timeZone})`}`;
}

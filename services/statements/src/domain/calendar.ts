import type { Day } from "./statement.ts";

export const dayAfter = (day: Day): Day => addDays(day, 1);

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** When a day begins in Africa/Lagos, which is an hour ahead of UTC all year. */
export const startOf = (day: Day): string => `${addDays(day, -1)}T23:00:00.000+00:00`;

/** When it ends. */
export const endOf = (day: Day): string => startOf(addDays(day, 1));

const HOUR_MS = 3_600_000;
const INSTANT = /^(?<day>\d{4}-\d\d-\d\d)T(?<time>\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/**
 * A time of ISO 8601 with an offset, on the clock of Lagos: `2026-11-21T23:30:00Z` is `2026-11-22T00:30:00.000Z`. Whatever else it is stays. So do
 * the first and the last second of a day: banks write them for the day itself, on whichever clock.
 */
export function inLagos(text: string): string {
  const { day, time } = INSTANT.exec(text)?.groups ?? {};
  if (day === undefined || time === "00:00:00" || time === "23:59:59") return text;
  const instant = Date.parse(text);
  // The 30th of February would be a day of March.
  const isOne = !Number.isNaN(instant) && addDays(day, 0) === day;
  return isOne ? new Date(instant + HOUR_MS).toISOString() : text;
}

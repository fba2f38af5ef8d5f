import type { Day } from "./statement.ts";

export const dayAfter = (day: Day): Day => addDays(day, 1);

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** When a day begins in Africa/Lagos, which is an hour ahead of UTC all year. */
export const startOf = (day: Day): string => `${addDays(day, -1)}T23:00:00.000+00:00`;

/** When it ends. */
export const endOf = (day: Day): string => startOf(addDays(day, 1));

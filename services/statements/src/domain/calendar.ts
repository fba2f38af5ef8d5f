import { addDays } from "./sequence.ts";
import type { Day } from "./statement.ts";

/** When a day begins in Africa/Lagos, which is an hour ahead of UTC all year. */
export const startOf = (day: Day): string => `${addDays(day, -1)}T23:00:00.000+00:00`;

/** When it ends. */
export const endOf = (day: Day): string => startOf(addDays(day, 1));

import { LAGOS_AHEAD_MS } from "./lagos.ts";

/** How often members can have it mailed that a statement is ready. */
export const REPORTS = ["weekly", "monthly"] as const;
export type ReportEvery = (typeof REPORTS)[number];

/** A week from Monday to Sunday, or a month, of Lagos; `before` is excluded. */
export type ReportPeriod = { from: Date; before: Date };

/** 07:00, hours after the last settlement that was created in the period. */
const AT_MS = 7 * 3_600_000;
const MONDAY = 1;

/** The period that was the last one to be reported at this time. */
export function lastReported(every: ReportEvery, now: Date): ReportPeriod {
  const today = lagosDay(new Date(now.getTime() - AT_MS));
  return { from: beginning(every, today, -1), before: beginning(every, today, 0) };
}

/** When the next period is reported: always after `now`. */
export function nextReport(every: ReportEvery, now: Date): Date {
  const today = lagosDay(new Date(now.getTime() - AT_MS));
  return new Date(beginning(every, today, 1).getTime() + AT_MS);
}

/** A day in Lagos, as midnight in UTC. */
function lagosDay(at: Date): Date {
  const local = new Date(at.getTime() + LAGOS_AHEAD_MS);
  return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()));
}

/** When the week or the month of a day begins, or one that is so many later. */
function beginning(every: ReportEvery, day: Date, later: number): Date {
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  const sinceMonday = (day.getUTCDay() - MONDAY + 7) % 7;
  const start =
    every === "monthly" ? Date.UTC(year, month + later, 1) : Date.UTC(year, month, date - sinceMonday + 7 * later);
  return new Date(start - LAGOS_AHEAD_MS);
}

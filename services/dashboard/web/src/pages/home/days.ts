import type { ReadResponse } from "../../api/calls.ts";
import { lagosDay } from "../../components/lagos-time.ts";

const DAY_MS = 86_400_000;

/** The last `count` Lagos days, today included. Lagos has no daylight saving time: all days have the same length. */
export function lastDays(count: number, now: number): string[] {
  return Array.from({ length: count }, (_, place) => lagosDay(now - (count - 1 - place) * DAY_MS));
}

export type DaySum = { day: string; label: string; amount: number; net: number; count: number };

/** One total per day: the response omits days without collections, which are zero. */
export function everyDay(days: string[], { days: sums }: ReadResponse<"collection-days">): DaySum[] {
  const byDay = new Map(sums.map((sum) => [sum.day, sum]));
  return days.map((day) => {
    const { amount = 0, net = 0, count = 0 } = byDay.get(day) ?? {};
    return { day, label: dayLabel(day), amount, net, count };
  });
}

/** The `count` days before those. */
export const daysBefore = (count: number, now: number): string[] => lastDays(count, now - count * DAY_MS);

/** How a total compares with that of the period before, in words; undefined where there is nothing to compare with. */
export function comparedWith(total: number, before: number, count: number): string | undefined {
  if (before === 0) return total === 0 ? undefined : `nothing in the ${count} days before`;
  const percent = Math.round((total / before - 1) * 100);
  if (percent === 0) return `as much as in the ${count} days before`;
  return `${Math.abs(percent).toLocaleString("en")}% ${percent > 0 ? "more" : "less"} than in the ${count} days before`;
}

const short = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

export const dayLabel = (day: string) => short.format(new Date(`${day}T00:00:00Z`));

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** For chart axes: ₦1.2M. */
export const shortNaira = (naira: number) => `₦${compact.format(naira)}`;

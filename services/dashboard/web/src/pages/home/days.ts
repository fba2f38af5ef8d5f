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

/** The `count` days before those, and one more: with it, as many whole days end with yesterday as are compared with. */
export const daysBefore = (count: number, now: number): string[] => lastDays(count + 1, now - count * DAY_MS);

/**
 * How the days to yesterday compare with as many before them, in words: today is not over. `shown` ends with today, and `before`
 * with the day before its first. Undefined where there is nothing to compare.
 */
export function comparedWith(shown: DaySum[], before: DaySum[]): string | undefined {
  const count = shown.length;
  const days = [...before, ...shown.slice(0, -1)];
  const [earlier, later] = [sumOf(days.slice(0, count)), sumOf(days.slice(count))];
  const than = `the ${count} before`;
  const whole = `The ${count} days to yesterday:`;
  if (earlier === 0) return later === 0 ? undefined : `${whole} ${shortNaira(later)}, after nothing in ${than}`;
  const percent = Math.round((later / earlier - 1) * 100);
  if (percent === 0) return `${whole} as much as ${than}`;
  return `${whole} ${Math.abs(percent).toLocaleString("en")}% ${percent > 0 ? "more" : "less"} than ${than}`;
}
const sumOf = (days: DaySum[]) => days.reduce((sum, { amount }) => sum + amount, 0);

const short = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

export const dayLabel = (day: string) => short.format(new Date(`${day}T00:00:00Z`));

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** For chart axes: ₦1.2M. */
export const shortNaira = (naira: number) => `₦${compact.format(naira)}`;

import { dateOf, datesOf, lagosDay, startOfLagosDay } from "./lagos-time.ts";

/** Days of filters are days in Lagos, whatever the browser's time zone. In the URL they are instants. */

/** The first and the last instant between two of the URL. */
const instantsOf = (from: string | null, before: string | null): [number, number] => [
  Date.parse(from ?? ""),
  Date.parse(before ?? "") - 1,
];

/** The whole days, both included, between two instants of the URL. */
export function daysBetween(from: string | null, before: string | null): [string | null, string | null] {
  const [first, last] = instantsOf(from, before);
  return [Number.isNaN(first) ? null : lagosDay(first), Number.isNaN(last) ? null : lagosDay(last)];
}

/** Each begins at a day and has no end, so that what arrives meanwhile is in it. */
export function presets(now: number): { label: string; from: string }[] {
  const today = lagosDay(now);
  return [
    { label: "Today", from: startOfLagosDay(today) },
    { label: "7 days", from: startOfLagosDay(today, -6) },
    { label: "This month", from: startOfLagosDay(`${today.slice(0, 8)}01`) },
  ];
}

/** In words: `Today`, `since 1 Nov 2026`, `1–7 Nov 2026`. */
export function spanWords(from: string | null, before: string | null, now: number): string | undefined {
  const preset = before
    ? undefined
    : presets(now).find((preset) => from && Date.parse(preset.from) === Date.parse(from));
  if (preset) return preset.label;
  const [first, last] = instantsOf(from, before);
  if (first && last) return datesOf(first, last);
  if (first) return `since ${dateOf(first)}`;
  return last ? `until ${dateOf(last)}` : undefined;
}

/** Days of filters are days in Lagos, whatever the browser's time zone: an hour ahead of UTC all year. In the URL they are instants. */

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** `2026-11-21` */
export const dayOf = (ms: number): string => new Date(ms + HOUR_MS).toISOString().slice(0, 10);

/** The beginning of a day, or of one so many days later. */
export const startOf = (day: string, plus = 0): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - HOUR_MS + plus * DAY_MS).toISOString();

/** The whole days, both included, between two instants of the URL. */
export function daysBetween(from: string | null, before: string | null): [string | null, string | null] {
  const [first, end] = [Date.parse(from ?? ""), Date.parse(before ?? "")];
  return [Number.isNaN(first) ? null : dayOf(first), Number.isNaN(end) ? null : dayOf(end - 1)];
}

/** Each begins at a day and has no end, so that what arrives meanwhile is in it. */
export function presets(now: number): { label: string; from: string }[] {
  const today = dayOf(now);
  return [
    { label: "Today", from: startOf(today) },
    { label: "7 days", from: startOf(today, -6) },
    { label: "This month", from: startOf(`${today.slice(0, 8)}01`) },
  ];
}

const format = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** In words: `Today`, `since 1 Nov 2026`, `1–7 Nov 2026`. */
export function spanWords(from: string | null, before: string | null, now: number): string | undefined {
  const preset = before
    ? undefined
    : presets(now).find((preset) => from && Date.parse(preset.from) === Date.parse(from));
  if (preset) return preset.label;
  const [first, last] = daysBetween(from, before);
  if (first && last) return format.formatRange(dateOf(first), dateOf(last));
  if (first) return `since ${format.format(dateOf(first))}`;
  return last ? `until ${format.format(dateOf(last))}` : undefined;
}

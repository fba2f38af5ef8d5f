const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** In the largest unit of which there are at least two: 90 minutes, 3 hours, 40 hours. */
export function durationWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? (["second", 1] as const);
  const count = Math.max(1, Math.round(seconds / size));
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
}

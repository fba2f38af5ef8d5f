import type { ReadResponse } from "../../api/calls.ts";

export type Hold = NonNullable<ReadResponse<"webhook/health">["hold"]>;

const COUNT_MAX = 100_000;

export function waitingWords(waiting: number): string {
  if (waiting === 0) return "No events wait.";
  if (waiting === 1) return "1 event waits.";
  return `${waiting.toLocaleString("en")} events${waiting >= COUNT_MAX ? " or more" : ""} wait.`;
}

const UNITS = [
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** In the largest unit of which there are at least two: 90 minutes, 3 hours. */
export function durationWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= 2 * size) ?? (["second", 1] as const);
  const count = Math.max(1, Math.round(seconds / size));
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
}

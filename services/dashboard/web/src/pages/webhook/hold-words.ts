import type { ReadResponse } from "../../api/calls.ts";

export type Hold = NonNullable<ReadResponse<"webhook/health">["hold"]>;

const COUNT_MAX = 100_000;

export function waitingWords(waiting: number): string {
  if (waiting === 0) return "No events wait.";
  if (waiting === 1) return "1 event waits.";
  return `${waiting.toLocaleString("en")} events${waiting >= COUNT_MAX ? " or more" : ""} wait.`;
}

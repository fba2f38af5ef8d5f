import type { ReadResponse } from "../../../api/calls.ts";

export type Batch = ReadResponse<"transfer-batches/:reference">;

/** It goes on without the person. */
export const isMoving = ({ state }: Pick<Batch, "state">): boolean => state === "checking" || state === "sending";

/** What it can still send: the lines that are not ordered, and were not refused. */
export function openOf({ lines, total, ordered, ordered_total, refused, refused_total }: Batch) {
  // In kobo: the difference of two amounts in naira is not exact.
  const kobo = [total, -ordered_total, -refused_total].reduce((sum, naira) => sum + Math.round(naira * 100), 0);
  return { lines: lines - ordered - refused, total: kobo / 100 };
}

/** How far a file is, in a few words. */
export function progressWords(batch: Batch): string {
  const { state, lines, checked, faulty, ordered, refused } = batch;
  switch (state) {
    case "checking":
      return `Checking: ${checked.toLocaleString("en")} of ${transfers(lines)}`;
    case "checked":
      if (faulty > 0) return `${counted(faulty, "line", "lines")} with faults`;
      return openOf(batch).lines === 0 ? `${transfers(ordered)} created earlier` : "Checked; not confirmed";
    case "awaiting_approval":
      return "Waiting for approval";
    case "sending":
      return `Sending: ${(ordered + refused).toLocaleString("en")} of ${transfers(lines)}`;
    case "sent":
      return refused > 0
        ? `${ordered.toLocaleString("en")} created, ${refused.toLocaleString("en")} refused`
        : `${transfers(lines)} created`;
  }
}

export const transfers = (count: number): string => counted(count, "transfer", "transfers");

export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

import type { ReadResponse } from "../../../api/calls.ts";

export type Batch = ReadResponse<"transfer-batches/:reference">;

/** It goes on without the person. */
export const isMoving = ({ state }: Pick<Batch, "state">): boolean => state === "checking" || state === "sending";

/** How far a file is, in a few words. */
export function progressWords(batch: Batch): string {
  const { state, lines, checked, faulty, ordered, refused } = batch;
  switch (state) {
    case "checking":
      return `Checking: ${checked.toLocaleString("en")} of ${transfers(lines)}`;
    case "checked":
      return faulty > 0 ? `${counted(faulty, "line", "lines")} with faults` : "Checked; not confirmed";
    case "awaiting_approval":
      return "Waiting for approval";
    case "sending":
      return `Ordering: ${(ordered + refused).toLocaleString("en")} of ${transfers(lines)}`;
    case "sent":
      return refused > 0
        ? `${ordered.toLocaleString("en")} ordered, ${refused.toLocaleString("en")} refused`
        : `${transfers(lines)} ordered`;
  }
}

export const transfers = (count: number): string => counted(count, "transfer", "transfers");

export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

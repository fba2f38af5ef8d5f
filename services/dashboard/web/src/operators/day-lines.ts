import type { Read } from "./api.ts";

type Sheet = Read<"days/:day">;
export type Item = Sheet["items"][number];

/** What our books have and the bank has not booked yet waits for the next statements. */
export const takesReason = ({ key, class: kind, settled }: Item) =>
  !settled && (kind !== "timing" || /^(group:)?match:/.test(key));

export const ONCE_GIVEN = "A reason counts for this amount only, and another person closes the day.";

/** Where a day has more lines than fit, the smaller ones are in groups. */
export const isGrouped = (items: Item[]): boolean => items.some(({ count }) => count);

/** A group is as many lines as are in it. */
export const linesIn = (items: Item[]): number => items.reduce((sum, { count = 1 }) => sum + count, 0);

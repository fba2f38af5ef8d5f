import type { Day } from "./statement.ts";

/** The days that an account's statements prove. */
export type Covered = {
  /** The first day of the first one. */
  coveredFrom: Day;
  /** Up to which day there are statements; without end if the account has ended. */
  coveredTo: Day;
  /** The last day of an account that has ended. */
  lastDay: Day | null;
};

/** When it happened, and the day that our books have it on. */
type Known = { on: Day; bookedOn: Day | null };

/**
 * Whether the statements would have a movement's line. What is of a day before the first one, or after the end of the account, has it mostly where no
 * statement of ours is: taken by its amount it would hide another transfer, whose notification was lost.
 */
export function isCovered({ on, bookedOn }: Known, { coveredFrom, coveredTo, lastDay }: Covered): boolean {
  const isWithin = [on, bookedOn ?? on].every((day) => day >= coveredFrom && day <= coveredTo);
  return isWithin && (lastDay === null || on <= lastDay);
}

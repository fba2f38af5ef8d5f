import { invalidFields } from "@collect/contracts";

const DAY_MS = 86_400_000;
/** A quarter of a year. */
const DAYS_MAX = 92;

/** The days from the first to the last, inclusive: at most 92, and none before 1970. */
export function daysOf({ from, to }: { from: string; to: string }): { first: string; last: string } {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) throw invalidFields([{ param: "to", code: "invalid", message: "must not be before from" }]);
  if (days > DAYS_MAX)
    throw invalidFields([{ param: "to", code: "invalid", message: `must be at most ${DAYS_MAX} days from from` }]);
  if (Date.parse(from) < 0) throw invalidFields([{ param: "from", code: "invalid", message: "must be after 1970" }]);
  return { first: from, last: to };
}

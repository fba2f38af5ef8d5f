import { Problem } from "@collect/contracts";
import { dayAfter } from "./calendar.ts";
import { type Day, kobo, type Statement } from "./statement.ts";

/** The last statement that was taken of an account. */
export type Last = { number: string | null; to: Day; closing: bigint };

/**
 * Refuses a statement that does not continue the last one: from its closing balance, and without a day between. Where the bank counts
 * its statements, consecutive numbers prove that it has none of the days between; where its numbers are no numbers, the balances have to. The first statement of an account is
 * taken as it is.
 */
export function assertFollows(last: Last | undefined, next: Statement): void {
  if (!last) return;
  if (next.from <= last.to)
    throw refused("statement_overlaps", `It begins on ${next.from}, and statements up to ${last.to} are taken.`);
  if (dayAfter(last.to) !== next.from && !isNumberedAfter(last, next))
    throw refused(
      "statement_missing",
      `The statement between ${last.to} and ${next.from} is missing: import it first.`,
    );
  if (last.closing !== next.opening)
    throw refused(
      "opening_balance",
      `It begins with ${kobo(next.opening)}, and the one before it ended on ${last.to} with ${kobo(last.closing)}.`,
    );
}

const refused = (code: string, message: string) =>
  new Problem("conflict", "The statement does not continue the last one.", {
    errors: [{ param: "file", code, message }],
  });

const DIGITS = /^\d{1,12}$/;

/** Numbers may begin again with each year. Files that have none at all say for which days they were made. */
function isNumberedAfter(last: Last, next: Pick<Statement, "number" | "from">): boolean {
  if (last.number === null || next.number === null) return false;
  if (!DIGITS.test(last.number) || !DIGITS.test(next.number)) return true;
  const isNewYear = next.from.slice(0, 4) > last.to.slice(0, 4) && Number(next.number) === 1;
  return isNewYear || Number(next.number) === Number(last.number) + 1;
}

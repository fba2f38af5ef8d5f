import { Problem } from "@collect/contracts";
import { dayAfter } from "./calendar.ts";
import { type Day, kobo, type Statement } from "./statement.ts";

/** The last statement that was taken of an account. */
export type Last = { number: string | null; to: Day; closing: bigint; isInterim: boolean };

/**
 * Refuses a statement that does not continue the last one: from its closing balance, and without a day or a page between. Where the bank
 * counts its statements, consecutive numbers prove that it has none of the days between, or that it is a later one of the same day; where
 * its numbers are no numbers, the balances have to. The first statement of an account is taken as it is, unless it begins within a day.
 */
export function assertFollows(last: Last | undefined, next: Statement, isNumberedAnew = false): void {
  if (next.isContinued && !last?.isInterim)
    throw refused("statement_missing", "It continues a page that is missing: import that first.");
  if (!last) return;
  const order = orderOf(last, next);
  if (last.isInterim && (order !== "next" || !next.isContinued))
    throw refused("statement_missing", `What follows no. ${last.number} of ${last.to} is missing: import it first.`);
  if (next.from < last.to || (next.from === last.to && order !== "next"))
    throw refused("statement_overlaps", `It begins on ${next.from}, and statements up to ${last.to} are taken.`);
  if (order === "skipped" && !isNumberedAnew)
    throw refused(
      "statement_missing",
      `It is no. ${next.number}, and the last one was no. ${last.number}: import what is between them first. If the bank says that there is nothing, tick that box on the page, or give --despite-number.`,
    );
  if (next.from > dayAfter(last.to) && order === "unknown")
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

const DAY_MS = 86_400_000;
/** A larger step is no statement that is missing but another way of counting, such as 261130 and 261201. */
const SKIPPED_MAX = 30;
const NUMBER = /^(\d{1,12})(?:\/(\d{1,5}))?$/;

/**
 * Whether the numbers say that it is the next one, or that one is missing before it, or cannot say it (`named`: they are no numbers).
 * Numbers may begin again with each year or month, or always be the same. Files that have none at all say for which days they were made.
 */
function orderOf(
  last: Last,
  next: Pick<Statement, "number" | "from" | "to">,
): "next" | "skipped" | "named" | "unknown" {
  if (last.number === null || next.number === null) return "unknown";
  const [before, after] = [NUMBER.exec(last.number), NUMBER.exec(next.number)];
  if (!before || !after) return "named";
  const [number, page] = [Number(before[1]), Number(before[2] ?? 1)];
  const [nextNumber, nextPage] = [Number(after[1]), Number(after[2] ?? 1)];
  const isNextPage = last.isInterim && nextNumber === number && nextPage === page + 1;
  const isNewYear = next.from.slice(0, 4) > last.to.slice(0, 4) && nextNumber === 1;
  const isNextNumber = (nextNumber === number + 1 || isNewYear) && nextPage === 1;
  if (isNextPage || isNextNumber) return "next";
  // Some number their statements by the day: what is skipped then are days, or a month.
  const days = (Date.parse(next.to) - Date.parse(last.to)) / DAY_MS;
  const skipped = nextNumber - number - 1;
  return skipped > 0 && skipped <= SKIPPED_MAX && skipped + 1 !== days ? "skipped" : "unknown";
}

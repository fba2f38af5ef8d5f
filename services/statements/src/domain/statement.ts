import type { Kobo } from "@collect/money";
import { fault } from "./fault.ts";

/** A day of the bank's calendar, `2026-11-21`. Days compare as strings. */
export type Day = string;

/** A statement of one account at a bank, whichever format it came in. Amounts are signed: what reaches the account is positive. */
export type Statement = {
  /** The account's number as the file has it; null if the format has none. */
  account: string | null;
  /** The bank's number of the statement, with that of the page if it has several (`17/2`); null if it gives none. */
  number: string | null;
  currency: string;
  from: Day;
  to: Day;
  opening: Kobo;
  closing: Kobo;
  /** Its opening balance is not that of a statement but of a page: it continues another. */
  isContinued: boolean;
  /** Its last day is not complete: another page, or another statement of the day, follows. */
  isInterim: boolean;
  lines: Line[];
};

export type Line = {
  /** The line of the file, or the row of the sheet. */
  at: number;
  bookedOn: Day;
  valueOn: Day;
  amount: Kobo;
  /** Every id by which the bank and its partners know the movement; the bank's own is the first. */
  references: string[];
  /** The 30 digits of NIP. */
  sessionId: string | null;
  narration: string;
  /** After the line, where the bank prints it. */
  balance: Kobo | null;
  /** What a batched line consists of. Empty for a single movement. */
  parts: Part[];
};

export type Part = Pick<Line, "amount" | "references" | "sessionId" | "narration">;

export const LINES_MAX = 50_000;
const NARRATION_MAX = 500;
const REFERENCES_MAX = 8;
const REFERENCE_MAX = 80;

/**
 * Proves that a statement leads from its opening to its closing balance, line by line, within its own period. `currency` is the
 * account's.
 */
export function assertProved({ currency, from, to, opening, closing, lines }: Statement): void {
  if (currency !== "NGN") throw fault("wrong_currency", `The statement is in ${currency}, and not in NGN.`);
  if (from > to) throw fault("invalid_date", `It begins on ${from}, after it ends on ${to}.`);
  if (lines.length > LINES_MAX) throw fault("too_many_lines", `It has more than ${LINES_MAX} lines.`);
  let balance = opening;
  for (const line of lines) {
    balance += line.amount;
    assertLine(line, { balance, from, to });
  }
  if (balance !== closing)
    throw fault("closing_balance", `Its lines lead to ${kobo(balance)}, and its closing balance is ${kobo(closing)}.`);
}

function assertLine(
  { at, bookedOn, balance: printed, amount, parts }: Line,
  is: { balance: Kobo; from: Day; to: Day },
) {
  if (bookedOn < is.from || bookedOn > is.to)
    throw fault("outside_period", `It is of ${bookedOn}, outside the period of the statement.`, at);
  if (printed !== null && printed !== is.balance)
    throw fault("running_balance", `The balance after it is ${kobo(is.balance)}, and not ${kobo(printed)}.`, at);
  const sum = parts.reduce((total, part) => total + part.amount, 0n);
  if (parts.length > 0 && sum !== amount)
    throw fault("batch_sum", `Its parts sum to ${kobo(sum)}, and it is ${kobo(amount)}.`, at);
}

const SESSION_ID = /(?<!\d)\d{30}(?!\d)/;
/** Payouts have our own id, which banks repeat in the narration. */
const PAYOUT_ID = /\btrf_[0-9A-Za-z]{10,60}\b/;

/** What no text of a bank needs, and a database refuses or a terminal obeys; not the ends of lines. */
export const printable = (text: string) => text.toWellFormed().replace(/[^\P{Cc}\t\r\n]/gu, " ");

/** Half a character at the end would be refused by the database. */
const cut = (text: string, max: number) => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");

/** What `sequence.ts` can put in order. */
const [NUMBER, PAGES_MAX] = [/^\d{1,12}$/, 99_999];

/**
 * The number of a statement, with the page unless that is all of it. What is to be continued needs one that counts: nothing could ever
 * follow it otherwise.
 */
export function numbered(
  number: string | undefined,
  { page, isInterim, at }: Pick<Statement, "isInterim"> & { page: number; at: number },
): string | null {
  if (isInterim && (page > PAGES_MAX || !NUMBER.test(number ?? "")))
    throw fault(
      "not_numbered",
      `It is to be continued, and its number is ${number ? `“${number.slice(0, 40)}”` : "missing"}: what follows it could not be known.`,
      at,
    );
  if (!number) return null;
  return page > 1 || isInterim ? `${number}/${page}` : number;
}

type Period = { from: Day; to: Day };
type Cut = Pick<Statement, "isContinued" | "isInterim" | "lines">;

/**
 * The days of a statement. Where it is cut they are those of its lines: each page may have the period of the whole statement. Without a
 * period it is that of its lines, up to the day of its closing balance.
 */
export function periodOf({ isContinued, isInterim, lines }: Cut, closedOn: Day, period: Partial<Period> = {}): Period {
  const booked = lines.map(({ bookedOn }) => bookedOn).toSorted();
  const days = isInterim && booked.length > 0 ? booked : [...booked, closedOn].toSorted();
  const [first = closedOn, last = closedOn] = [days[0], days.at(-1)];
  return { from: (!isContinued && period.from) || first, to: (!isInterim && period.to) || last };
}

/** What banks write where there is no reference. */
const NO_REFERENCES = ["", "NONREF", "NOTPROVIDED"];

/** What a line or a part can be matched by: its references, and what is found in its narration. */
export function identified({ references, narration }: Pick<Part, "references" | "narration">) {
  const found = [...references, PAYOUT_ID.exec(narration)?.[0] ?? ""]
    .map((text) => text.trim())
    .filter((text) => !NO_REFERENCES.includes(text));
  // Long narrations are printed in several lines, at which a number can be broken.
  const [sessionId] = SESSION_ID.exec([...references, narration, narration.replaceAll("\n", "")].join("\n")) ?? [];
  return {
    references: [...new Set(found)].slice(0, REFERENCES_MAX).map((text) => cut(text, REFERENCE_MAX)),
    sessionId: sessionId ?? null,
    narration: cut(narration.replace(/\s+/g, " ").trim(), NARRATION_MAX),
  };
}

/** Naira with two decimals, as banks print them. */
export function kobo(amount: Kobo): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, "0");
  return `${amount < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

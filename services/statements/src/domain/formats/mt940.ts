import type { Kobo } from "@collect/money";
import { fault } from "../fault.ts";
import { type Day, identified, LINES_MAX, type Line, numbered, periodOf, type Statement } from "../statement.ts";
import { dayOf, parseAmount } from "../values.ts";

/** A field of a SWIFT message, `:61:…`, with the lines that continue it. */
type Field = { tag: string; lines: string[]; at: number };

/**
 * Every statement of an MT940 file. A statement may be printed on several pages (`28C` 17/1, 17/2), whose balances between are `60M`
 * and `62M`, in one file or in several: each page is a statement of its own, which begins with `20`.
 */
export function parseMt940(text: string): Statement[] {
  const statements: Statement[] = [];
  let draft: Draft | undefined;
  for (const field of fieldsOf(text)) {
    if (!draft) {
      if (field.tag !== "20") throw fault("unknown_format", "A statement begins with the field 20.", field.at);
      draft = { at: field.at, lines: [] };
    } else if (field.tag !== "20") draft = withField(draft, field);
    if (draft.closing) {
      statements.push(statementOf(draft));
      draft = undefined;
    }
  }
  if (draft) throw fault("missing", "The last statement has no closing balance (62F or 62M).", draft.at);
  if (statements.length === 0) throw fault("unknown_format", "It has no fields of an MT940.");
  return statements;
}

/** `isInterim`: between two pages. */
type Balance = { amount: Kobo; on: Day; currency: string; isInterim: boolean };
type Draft = {
  at: number;
  account?: string;
  number?: string;
  page?: number;
  opening?: Balance;
  closing?: Balance;
  lines: Line[];
};

/** What follows a closing balance and is not taken: the balances to come, and information about the statement. */
const AFTERWARDS = ["64", "65", "86"];

/** The blocks around a message belong to no field, nor does the hyphen at its end; a narration may go on with one. Lines are counted as they come: in memory they are many times what the file is. */
function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  let isClosed = true;
  let lines = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [, tag, rest] = /^(?:\{.*\})?(?:\{4:)?:(\d\d[A-Z]?):(.*)$/.exec(line) ?? [];
    if (tag !== undefined && rest !== undefined) {
      if (tag === "20") {
        isClosed = false;
        lines = 0;
      }
      if (tag === "61" && ++lines > LINES_MAX)
        throw fault("too_many_lines", `It has more than ${LINES_MAX} lines.`, index + 1);
      if (isClosed && !AFTERWARDS.includes(tag))
        throw fault("malformed", `The field ${tag} is outside of a statement.`, index + 1);
      if (!isClosed) fields.push({ tag, lines: [rest], at: index + 1 });
      if (/^62[FM]$/.test(tag)) isClosed = true;
    } else if (!isClosed && !/^(-|-\}.*|\{.*|)$/.test(line.trimEnd())) fields.at(-1)?.lines.push(line);
  }
  return fields;
}

function withField(draft: Draft, { tag, lines, at }: Field): Draft {
  const [first = ""] = lines;
  switch (tag) {
    case "25":
      return { ...draft, account: first.split("/").at(-1)?.trim() ?? "" };
    case "28C":
      return { ...draft, number: first.split("/")[0]?.trim() ?? "", page: Number(first.split("/")[1]) || 1 };
    case "60F":
    case "60M":
      return { ...draft, opening: { ...balanceOf(first, at), isInterim: tag === "60M" } };
    case "62F":
    case "62M":
      return { ...draft, closing: { ...balanceOf(first, at), isInterim: tag === "62M" } };
    case "61":
      draft.lines.push(lineOf(lines, at));
      return draft;
    case "86":
      describeLast(draft.lines, lines);
      return draft;
    default:
      return draft;
  }
}

const BALANCE = /^([CD])(\d\d)(\d\d)(\d\d)([A-Z]{3})([\d,]{1,15})$/;

function balanceOf(value: string, at: number): Omit<Balance, "isInterim"> {
  const [, sign, year = "", month = "", day = "", currency = "", digits = ""] = BALANCE.exec(value.trim()) ?? [];
  const [amount, on] = [parseAmount(decimal(digits)), dayOf(year, month, day)];
  if (sign === undefined || amount === undefined || on === undefined)
    throw fault("malformed", "It is not a balance.", at);
  return { amount: sign === "C" ? amount : -amount, on, currency };
}

/** `1234,5` and `1234,` in SWIFT are 1234.5 and 1234. */
const decimal = (digits: string) => digits.replace(/,$/, "").replace(",", ".");

const LINE =
  /^(?<value>\d{6})(?<entry>\d{4})?(?<mark>R?[CD])(?:[A-Z](?=\d))?(?<amount>\d{1,12},\d{0,2})[NSF][A-Z0-9]{3}(?<own>[^/]*(?:\/[^/]+)*)(?:\/\/(?<bank>.*))?$/;

/** The booking date of a line that has none is that of the closing balance, which comes after it. */
const ON_CLOSING = "";

/** `RC` takes a credit back, and `RD` a debit. */
const SIGN: Record<string, bigint> = { C: 1n, D: -1n, RC: -1n, RD: 1n };

function lineOf([first = "", ...more]: string[], at: number): Line {
  const { value = "", entry, mark = "", amount: digits = "", own = "", bank } = LINE.exec(first)?.groups ?? {};
  const [amount, sign] = [parseAmount(decimal(digits)), SIGN[mark]];
  if (amount === undefined || sign === undefined) throw fault("malformed", "It is not a line of a statement.", at);
  const valueOn = dayOf(value.slice(0, 2), value.slice(2, 4), value.slice(4));
  const bookedOn = valueOn && (entry === undefined ? ON_CLOSING : bookedNear(valueOn, entry));
  if (!valueOn || bookedOn === undefined) throw fault("invalid_date", "It has no valid date.", at);
  const references = [bank, own].flatMap((reference) => reference ?? []);
  const ids = identified({ references, narration: more.join("\n") });
  return { at, bookedOn, valueOn, amount: sign * amount, balance: null, parts: [], ...ids };
}

/** The booking date has no year: it is that of the value date, or the one beside it at the turn of the year. */
function bookedNear(valueOn: Day, entry: string): Day | undefined {
  const year = Number(valueOn.slice(0, 4));
  const days = [year, year - 1, year + 1].flatMap((y) => dayOf(String(y), entry.slice(0, 2), entry.slice(2)) ?? []);
  const distance = (day: Day) => Math.abs(Date.parse(day) - Date.parse(valueOn));
  return days.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The narration follows its line; `?20` and the like begin its subfields, at which a number can be broken. */
function describeLast(statement: Line[], lines: string[]): void {
  const last = statement.pop();
  if (!last) return;
  const narration = [last.narration, ...lines.map((text) => text.replace(/\?\d\d/g, "\n"))].filter(Boolean).join("\n");
  statement.push({ ...last, ...identified({ references: last.references, narration }) });
}

function statementOf({ at, account, number, page = 1, opening, closing, lines }: Draft): Statement {
  if (!opening || !closing) throw fault("missing", "It has no opening balance (60F or 60M).", at);
  if (opening.currency !== closing.currency) throw fault("wrong_currency", "Its balances have two currencies.", at);
  const booked = lines.map((line) => (line.bookedOn === ON_CLOSING ? { ...line, bookedOn: closing.on } : line));
  const cut = { isContinued: opening.isInterim, isInterim: closing.isInterim, lines: booked };
  return {
    ...{ account: account || null, number: numbered(number, { ...cut, page, at }), currency: closing.currency },
    ...periodOf(cut, closing.on),
    ...{ opening: opening.amount, closing: closing.amount, ...cut },
  };
}

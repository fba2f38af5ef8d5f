import type { Kobo } from "@collect/money";
import { fault } from "../fault.ts";
import { type Day, identified, kobo, LINES_MAX, type Line, type Statement } from "../statement.ts";
import { type DateFormat, parseAmount, parseDay } from "../values.ts";

/** How one bank's export of an account is read: which row has the names of the columns, and which column is what. */
export type Mapping = {
  /** The row with the names of the columns, from 1; the rows above it are the bank's letterhead. */
  headerRow: number;
  dateFormat: DateFormat;
  isNewestFirst: boolean;
  /** Of a text file that does not declare one itself; UTF-8 if it is absent. */
  encoding?: Encoding | undefined;
  columns: Columns;
};
export type Encoding = "utf-8" | "windows-1252";
export type Columns = {
  date: string;
  narration: string;
  /** Without it a file cannot prove that it is whole. */
  balance: string;
  valueDate?: string | undefined;
  /** Of ids of the bank, session ids and settlement ids. */
  references?: string[] | undefined;
  /** Either these two, or one signed amount. */
  debit?: string | undefined;
  credit?: string | undefined;
  amount?: string | undefined;
};

/** The days that the file was made for. Without it: from the first line to the last. */
export type Period = { from: Day; to: Day };

/** The rows of a sheet or a file, with their numbers. */
export type Row = {
  at: number;
  cells: string[];
  /** The file ends in it, without a line break. */
  isOpen?: boolean;
};

/** With the rows above and below the lines. */
const ROWS_MAX = LINES_MAX + 200;

export const COLUMNS_MAX = 100;

/** A file of empty rows or cells is small, and would fill the memory. */
export function addRow(rows: Row[], row: Row): void {
  if (row.cells.length > COLUMNS_MAX) throw fault("malformed", `It has more than ${COLUMNS_MAX} columns.`, row.at);
  if (rows.length >= ROWS_MAX) throw fault("too_many_lines", `It has more than ${ROWS_MAX} rows.`, row.at);
  rows.push(row);
}

/**
 * A statement from the rows of a bank's own export. It has no balances besides those beside the lines: the opening one is what the
 * first line began from. Rows without an amount are no lines: a balance brought forward, which has to be the one at its place, or a note.
 */
export function statementOfRows(rows: Row[], mapping: Mapping, period: Period | null): Statement {
  const header = rows.find(({ at }) => at === mapping.headerRow);
  if (!header) throw fault("missing", `It has no row ${mapping.headerRow} with the names of the columns.`);
  const cell = columnsOf(header, mapping.columns);
  const below = rows.filter(({ at }) => at > mapping.headerRow);
  assertWhole(below, cell, mapping);
  const entries = (mapping.isNewestFirst ? below.toReversed() : below).flatMap(
    (row) => entryOf(row, cell, mapping) ?? [],
  );
  const lines = entries.filter(({ amount }) => amount !== 0n);
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) throw fault("missing", "It has no lines.");
  assertRunning(entries);
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  return {
    ...{ account: null, number: null, currency: "NGN" },
    ...(period ?? { from: days[0] ?? first.bookedOn, to: days.at(-1) ?? last.bookedOn }),
    opening: first.balance - first.amount,
    closing: last.balance,
    ...{ isContinued: false, isInterim: false },
    lines,
  };
}

type Cells = (row: Row, name: string | undefined) => string;

const normal = (name: string) => name.trim().replace(/\s+/g, " ").toLowerCase();

function columnsOf({ cells, at }: Row, columns: Columns): Cells {
  const indexes = new Map(cells.map((name, index) => [normal(name), index]));
  for (const name of Object.values(columns).flat())
    if (name !== undefined && !indexes.has(normal(name)))
      throw fault("missing", `It has no column “${name.slice(0, 40)}”.`, at);
  return (row, name) => (name === undefined ? "" : (row.cells[indexes.get(normal(name)) ?? -1] ?? "").trim());
}

type Entry = Line & { balance: Kobo };

const STARTS_AS_DAY = /^\d[\d/.\- ]*[A-Za-z]{0,3}[\d\- ]*$/;

/** A row that is shorter than the one before it, and begins as lines do, was cut off. */
function assertWhole(rows: Row[], cell: Cells, { columns, dateFormat }: Mapping): void {
  const last = rows.at(-1);
  if (!last?.isOpen || !STARTS_AS_DAY.test(cell(last, columns.date))) return;
  const line = rows.findLast((row) => row !== last && parseDay(cell(row, columns.date), dateFormat));
  if (line && last.cells.length < line.cells.length)
    throw fault("truncated", "It ends within a row: it was cut off.", last.at);
}

/** A line; without an amount what stood in the account; undefined for a note and for sums below the lines. */
function entryOf(row: Row, cell: Cells, mapping: Mapping): Entry | undefined {
  if (isNote(row, cell, mapping)) return undefined;
  const { columns, dateFormat } = mapping;
  const date = cell(row, columns.date);
  const amount = amountOf(row, cell, columns);
  const bookedOn = day(date, dateFormat, row.at);
  const valueDate = cell(row, columns.valueDate);
  const balance = parseAmount(cell(row, columns.balance));
  if (balance === undefined) throw fault("invalid_amount", "It has no balance.", row.at);
  const ids = identified({
    references: (columns.references ?? []).map((name) => cell(row, name)),
    narration: cell(row, columns.narration),
  });
  const valueOn = valueDate ? day(valueDate, dateFormat, row.at) : bookedOn;
  return { at: row.at, bookedOn, valueOn, amount: amount ?? 0n, balance, parts: [], ...ids };
}

/**
 * What has neither a day nor one amount: the letterhead, sums of both sides, a balance. A day that is damaged is not a note but refused, as
 * long as an amount stands beside it; `Pending` in its place is a note if there is no balance, as what is pending is in none.
 */
function isNote(row: Row, cell: Cells, { columns, dateFormat }: Mapping): boolean {
  const date = cell(row, columns.date);
  const isEmpty = (name: string | undefined) => parseAmount(cell(row, name) || "0") === 0n || cell(row, name) === "-";
  const amounts = [columns.amount, columns.debit, columns.credit].filter((name) => !isEmpty(name)).length;
  const hasBalance = parseAmount(cell(row, columns.balance)) !== undefined;
  if (/\d/.test(date)) return amounts === 0 && !(hasBalance && parseDay(date, dateFormat));
  return amounts !== 1 || (/\p{L}/u.test(date) && !hasBalance);
}

/** Each balance is the one before it and the amount. One without an amount is the same: a movement may have lost its amount there. */
function assertRunning(entries: Entry[]): void {
  for (const [index, { amount, balance, at }] of entries.entries()) {
    const before = entries[index - 1]?.balance ?? balance - amount;
    if (before + amount !== balance)
      throw fault("running_balance", `The balance after it is ${kobo(before + amount)}, and not ${kobo(balance)}.`, at);
  }
}

function day(text: string, format: DateFormat, at: number): Day {
  const found = parseDay(text, format);
  if (!found) throw fault("invalid_date", `“${text.slice(0, 40)}” is not a date as ${format}.`, at);
  return found;
}

/** Undefined for a row without an amount. Banks write what is empty as nothing, a dash or zero. */
function amountOf(row: Row, cell: Cells, { debit, credit, amount }: Columns): Kobo | undefined {
  const [signed, out, into] = [amount, debit, credit].map((name) => numberOf(cell(row, name), row.at));
  if (signed !== undefined) return signed;
  if (out !== undefined && into !== undefined)
    throw fault("invalid_amount", "It has both a debit and a credit.", row.at);
  if (out !== undefined && out < 0n) throw fault("invalid_amount", "Its debit has a sign.", row.at);
  return into ?? (out === undefined ? undefined : -out);
}

function numberOf(text: string, at: number): Kobo | undefined {
  if (text === "" || text === "-") return undefined;
  const amount = parseAmount(text);
  if (amount === undefined) throw fault("invalid_amount", `“${text.slice(0, 40)}” is not an amount.`, at);
  return amount === 0n ? undefined : amount;
}

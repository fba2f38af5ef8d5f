import type { Kobo } from "@collect/money";
import { fault } from "../fault.ts";
import { type Day, identified, LINES_MAX, type Line, type Statement } from "../statement.ts";
import { type DateFormat, parseAmount, parseDay } from "../values.ts";

/** How one bank's export of an account is read: which row has the names of the columns, and which column is what. */
export type Mapping = {
  /** The row with the names of the columns, from 1; the rows above it are the bank's letterhead. */
  headerRow: number;
  dateFormat: DateFormat;
  isNewestFirst: boolean;
  columns: Columns;
};
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
export type Row = { at: number; cells: string[] };

/** With the rows above and below the lines. */
const ROWS_MAX = LINES_MAX + 200;

/** A file of empty rows is small, and would fill the memory. */
export function addRow(rows: Row[], row: Row): void {
  if (rows.length >= ROWS_MAX) throw fault("too_many_lines", `It has more than ${ROWS_MAX} rows.`, row.at);
  rows.push(row);
}

/**
 * A statement from the rows of a bank's own export. It has no balances besides those beside the lines: the opening one is what the
 * first line began from. Rows without an amount are no lines.
 */
export function statementOfRows(rows: Row[], mapping: Mapping, period: Period | null): Statement {
  const header = rows.find(({ at }) => at === mapping.headerRow);
  if (!header) throw fault("missing", `It has no row ${mapping.headerRow} with the names of the columns.`);
  const cell = columnsOf(header, mapping.columns);
  const read = rows.filter(({ at }) => at > mapping.headerRow).flatMap((row) => lineOf(row, cell, mapping) ?? []);
  const lines = mapping.isNewestFirst ? read.toReversed() : read;
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) throw fault("missing", "It has no lines.");
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted();
  return {
    ...{ account: null, number: null, currency: "NGN" },
    ...(period ?? { from: days[0] ?? first.bookedOn, to: days.at(-1) ?? last.bookedOn }),
    opening: (first.balance ?? 0n) - first.amount,
    closing: last.balance ?? 0n,
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

function lineOf(row: Row, cell: Cells, { columns, dateFormat }: Mapping): Line | undefined {
  const amount = amountOf(row, cell, columns);
  // The balance brought forward, a note, or the end of the sheet. A movement that got lost here breaks the running balance.
  if (amount === undefined) return undefined;
  const bookedOn = day(cell(row, columns.date), dateFormat, row.at);
  const valueDate = cell(row, columns.valueDate);
  const balance = parseAmount(cell(row, columns.balance));
  if (balance === undefined) throw fault("invalid_amount", "It has no balance.", row.at);
  const ids = identified({
    references: (columns.references ?? []).map((name) => cell(row, name)),
    narration: cell(row, columns.narration),
  });
  const valueOn = valueDate ? day(valueDate, dateFormat, row.at) : bookedOn;
  return { at: row.at, bookedOn, valueOn, amount, balance, parts: [], ...ids };
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

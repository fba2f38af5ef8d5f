import type { Context } from "./context.ts";

type Output = Pick<Context, "json">;
/** A column's header, and the text of its cell. */
export type Columns<Row> = [header: string, cell: (row: Row) => string | number | null][];

/** A list: each row as a line of JSON, or as a table. */
export function printRows<Row>(rows: Row[], { json }: Output, columns: Columns<Row>): void {
  printLines(json ? rows.map((row) => JSON.stringify(row)) : table(rows, columns));
}

/** One object: a line of JSON, or a line for each field. */
export function printObject(object: object, { json }: Output): void {
  const fields = () => Object.entries(object).map(([name, value]) => [name, textOf(value)]);
  printLines(json ? [JSON.stringify(object)] : aligned(fields()));
}

export function printLines(lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

function table<Row>(rows: Row[], columns: Columns<Row>): string[] {
  const cells = rows.map((row) => columns.map(([, cell]) => textOf(cell(row))));
  return aligned([columns.map(([header]) => header), ...cells]);
}

function textOf(value: unknown): string {
  if (value === null) return "–";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function aligned(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => line(row).trimEnd());
}

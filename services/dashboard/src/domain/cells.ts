import { harmless } from "@collect/contracts";
import { z } from "zod";

/** Converts the rows of a list to cells. A spreadsheet must read every cell as a value, never as a formula. */

export type Column = { name: string; path: string[] };
export type Cell = string | number;

/** The schema of a list's rows, from the schema of its response. */
export function rowOf(list: z.ZodType): z.ZodObject {
  const data = list instanceof z.ZodObject ? list.shape.data : undefined;
  const row = data instanceof z.ZodArray ? data.element : undefined;
  if (!(row instanceof z.ZodObject)) throw new Error("this is not the schema of a list");
  return row;
}

/** The columns of a row; the fields of a nested object are columns of their own, such as `payer_name`. */
export function columnsOf(row: z.ZodObject, path: string[] = []): Column[] {
  return Object.entries(row.shape).flatMap(([name, field]) => {
    const inner = withoutWrapping(field);
    const here = [...path, name];
    return inner instanceof z.ZodObject ? columnsOf(inner, here) : [{ name: here.join("_"), path: here }];
  });
}

function withoutWrapping(field: unknown): unknown {
  return field instanceof z.ZodNullable || field instanceof z.ZodOptional ? withoutWrapping(field.unwrap()) : field;
}

export function cellsOf(row: unknown, columns: Column[]): Cell[] {
  return columns.map(({ path }) => cellOf(valueAt(row, path)));
}

function valueAt(row: unknown, path: string[]): unknown {
  return path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), row);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Numbers are our own data and stay numbers, including negative ones; anything that a user may have typed is text. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  return harmless(typeof value === "string" ? value : JSON.stringify(value));
}

import { z } from "zod";

/** How rows of a list become cells. A spreadsheet must take every cell for what it is: a value, never a formula. */

export type Column = { name: string; path: string[] };

/** What the rows of a list are, by the schema of its answer. */
export function rowOf(list: z.ZodType): z.ZodObject {
  const data = list instanceof z.ZodObject ? list.shape.data : undefined;
  const row = data instanceof z.ZodArray ? data.element : undefined;
  if (!(row instanceof z.ZodObject)) throw new Error("this is not the schema of a list");
  return row;
}

/** The columns of rows like these: an object in a row is as many columns, `payer_name` and so on. */
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

export function cellsOf(row: unknown, columns: Column[]): string[] {
  return columns.map(({ path }) => cellOf(valueAt(row, path)));
}

function valueAt(row: unknown, path: string[]): unknown {
  return path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), row);
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Numbers are ours and stay numbers, negative ones too; everything that a person may have typed is text. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  return harmless(typeof value === "string" ? value : JSON.stringify(value));
}

/**
 * Spreadsheets take for a formula what begins with one of these, in their full-width forms too; and some trim first what
 * cannot be seen: spaces of every width, controls, marks of direction and of no width.
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠﹢﹣﹦﹫−]|^[\t\r\n]/u;

/** Text that begins like a formula gets an apostrophe in front, which spreadsheets take for "this is text". */
export function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

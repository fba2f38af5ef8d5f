import { Problem } from "@collect/contracts";
import { fault } from "./fault.ts";
import { parseCamt053 } from "./formats/camt053.ts";
import { rowsOfCsv } from "./formats/csv.ts";
import { parseMt940 } from "./formats/mt940.ts";
import { type Mapping, type Period, type Row, statementOfRows } from "./formats/table.ts";
import { rowsOfXlsx } from "./formats/xlsx.ts";
import { assertProved, printable, type Statement } from "./statement.ts";

export type Format = "camt.053" | "mt940" | "csv" | "xlsx";

/** The largest file: a statement of 20,000 lines as camt.053. */
export const FILE_MAX = 16 * 1024 * 1024;

/**
 * The statements of a file, in its order, each proved from its opening to its closing balance. The format is recognized by the
 * content, not by the name. The mapping and the period are of those that say neither (CSV, XLSX). Throws a Problem that names the
 * line that is wrong.
 */
export function parseStatements(bytes: Uint8Array, mapping: Mapping | null, period: Period | null = null): Statement[] {
  if (bytes.length > FILE_MAX) throw fault("too_large", `It is larger than ${FILE_MAX} bytes.`);
  const { format, text } = recognize(bytes);
  const statements = read(format, { bytes, text, mapping, period });
  for (const statement of statements) assertProved(statement);
  return statements;
}

function recognize(bytes: Uint8Array): { format: Format; text: string } {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return { format: "xlsx", text: "" };
  const text = decode(bytes);
  const head = text.slice(0, 4_000);
  if (/^\s*</.test(head)) return { format: "camt.053", text };
  return { format: /^(?:\{.*)?:20:/m.test(head) ? "mt940" : "csv", text };
}

function decode(bytes: Uint8Array): string {
  try {
    return printable(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw fault("unknown_format", "It is neither a workbook nor text in UTF-8.");
  }
}

type Given = { bytes: Uint8Array; text: string; mapping: Mapping | null; period: Period | null };

function read(format: Format, { bytes, text, ...given }: Given): Statement[] {
  switch (format) {
    case "camt.053":
      return parseCamt053(text);
    case "mt940":
      return parseMt940(text);
    case "csv":
      return [ofRows(() => rowsOfCsv(text), given)];
    case "xlsx":
      return [ofRows(() => rowsOfXlsx(bytes), given)];
    default:
      return format satisfies never;
  }
}

function ofRows(rows: () => Row[], { mapping, period }: Pick<Given, "mapping" | "period">): Statement {
  if (mapping) return statementOfRows(rows(), mapping, period);
  throw new Problem(
    "validation_failed",
    "Nothing says which column of the file is what: name the account, and give it a mapping (ops -- statements account set).",
  );
}

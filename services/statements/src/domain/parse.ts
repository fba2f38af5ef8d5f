import { Problem } from "@collect/contracts";
import { decode } from "./decode.ts";
import { fault } from "./fault.ts";
import { parseCamt053 } from "./formats/camt053.ts";
import { rowsOfCsv } from "./formats/csv.ts";
import { parseMt940 } from "./formats/mt940.ts";
import { type Encoding, type Mapping, type Period, type Row, statementOfRows } from "./formats/table.ts";
import { rowsOfXlsx } from "./formats/xlsx.ts";
import { assertProved, type Statement } from "./statement.ts";

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
  const { format, text } = recognize(bytes, mapping?.encoding);
  const statements = read(format, { bytes, text, mapping, period });
  for (const statement of statements) assertProved(statement);
  return statements;
}

/** Not a table. Known by signs that are the same in every encoding, since none is known where no account is named. */
export function mayHaveSeveral(bytes: Uint8Array): boolean {
  if (isZip(bytes)) return false;
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString("latin1");
  return formatOf(head.replace(/^[\xef\xbb\xbf\xfe\xff]+|\0/g, "")) !== "csv";
}

const HEAD = 4_000;
const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

function recognize(bytes: Uint8Array, encoding: Encoding | undefined): { format: Format; text: string } {
  if (isZip(bytes)) return { format: "xlsx", text: "" };
  const text = decode(bytes, encoding);
  return { format: formatOf(text.slice(0, HEAD)), text };
}

function formatOf(head: string): Format {
  if (/^\s*</.test(head)) return "camt.053";
  return /^(?:\{.*)?:20:/m.test(head) ? "mt940" : "csv";
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
      return [ofRows((mapping) => rowsOfXlsx(bytes, mapping), given)];
    default:
      return format satisfies never;
  }
}

function ofRows(rows: (mapping: Mapping) => Row[], { mapping, period }: Pick<Given, "mapping" | "period">): Statement {
  if (mapping) return statementOfRows(rows(mapping), mapping, period);
  throw new Problem(
    "validation_failed",
    "Nothing says which column of the file is what: name its account (--account NUMBER), which needs a mapping (ops -- statements account NUMBER --mapping FILE).",
  );
}

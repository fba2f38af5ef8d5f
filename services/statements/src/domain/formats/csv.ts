import { CsvError, parse } from "csv-parse/sync";
import { fault } from "../fault.ts";
import { addRow, type Row } from "./table.ts";

const RECORD_MAX = 20_000;

/**
 * The rows of a CSV file, separated by commas, semicolons or tabs, whichever its header has most of. Without a line break after it, the last
 * one may be cut off.
 */
export function rowsOfCsv(text: string): Row[] {
  const delimiter = delimiterOf(text);
  const rows: Row[] = [];
  try {
    parse(text, {
      ...{ bom: true, delimiter, relax_column_count: true, max_record_size: RECORD_MAX },
      record_delimiter: ["\r\n", "\n", "\r"],
      on_record(cells: string[], { lines }) {
        addRow(rows, { at: lines, cells });
        return null;
      },
    });
    const last = rows.at(-1);
    if (last && !/[\r\n]\s*$/.test(text)) last.isOpen = true;
    return rows;
  } catch (error) {
    if (error instanceof CsvError) throw fault("malformed", "It is not a CSV file.", Number(error.lines) || undefined);
    throw error;
  }
}

function delimiterOf(text: string): string {
  const head = text.slice(0, 4_000);
  const count = (delimiter: string) => head.split(delimiter).length;
  return [",", ";", "\t"].toSorted((a, b) => count(b) - count(a))[0] ?? ",";
}

import { strFromU8, type Unzipped, unzipSync } from "fflate";
import { fault } from "../fault.ts";
import { addRow, type Row } from "./table.ts";
import { readXml } from "./xml.ts";

/** What the parts of a workbook may have together once they are unpacked. A sheet of 50,000 lines has 40 MB. */
const UNPACKED_MAX = 48 * 1024 * 1024;
const COLUMNS_MAX = 100;

/** The rows of the first sheet of a workbook, with the texts and numbers of its cells. */
export function rowsOfXlsx(bytes: Uint8Array): Row[] {
  const parts = unpack(bytes);
  const sheet = firstSheet(parts);
  return rowsOf(sheet, sharedStrings(parts));
}

/** The declared sizes are what is reserved for each part: a part that is larger is broken. */
function unpack(bytes: Uint8Array): Unzipped {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/^xl\/(sharedStrings\.xml|worksheets\/sheet\d+\.xml)$/.test(name)) return false;
        total += originalSize;
        if (total > UNPACKED_MAX) throw fault("too_large", "The workbook is too large once it is unpacked.");
        return true;
      },
    });
  } catch (error) {
    if (error instanceof Error && error.name === "Problem") throw error;
    throw fault("malformed", "It is not a workbook.");
  }
}

const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0]);

function firstSheet(parts: Unzipped): string {
  const [name] = Object.keys(parts)
    .filter((part) => part.includes("worksheets/"))
    .toSorted((a, b) => numberIn(a) - numberIn(b));
  const sheet = name === undefined ? undefined : parts[name];
  if (!sheet) throw fault("missing", "The workbook has no sheet.");
  return strFromU8(sheet);
}

function sharedStrings(parts: Unzipped): string[] {
  const strings: string[] = [];
  const part = parts["xl/sharedStrings.xml"];
  if (!part) return strings;
  let text = "";
  readXml(strFromU8(part), {
    close(path, element) {
      // Not the phonetic reading (rPh) of a text.
      if (path.endsWith("/t") && !path.endsWith("/rPh/t")) text += element.text;
      if (!path.endsWith("/si")) return;
      strings.push(text);
      text = "";
    },
  });
  return strings;
}

function rowsOf(sheet: string, strings: string[]): Row[] {
  const rows: Row[] = [];
  let row: Row = { at: 0, cells: [] };
  let value = "";
  readXml(sheet, {
    open(path, { attributes }) {
      if (path.endsWith("/row")) row = { at: Number(attributes.r) || row.at + 1, cells: [] };
      if (path.endsWith("/c")) value = "";
    },
    close(path, { text, attributes }) {
      if (path.endsWith("/v") || (path.endsWith("/t") && !path.endsWith("/rPh/t"))) value += text;
      if (path.endsWith("/c")) put(row, attributes, textOf(value, attributes.t, strings));
      if (path.endsWith("/row") && row.cells.some((cell) => cell !== "")) addRow(rows, row);
    },
  });
  return rows;
}

function put(row: Row, { r }: Record<string, string>, text: string): void {
  const index = r === undefined ? row.cells.length : columnOf(r);
  if (index >= COLUMNS_MAX) return;
  while (row.cells.length < index) row.cells.push("");
  row.cells[index] = text;
}

/** `C12` is in the third column. */
function columnOf(address: string): number {
  const letters = /^[A-Z]{1,3}/.exec(address)?.[0] ?? "A";
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOf(value: string, type: string | undefined, strings: string[]): string {
  if (type === "s") return strings[Number(value)] ?? "";
  const isNumber = type === undefined || type === "n";
  return isNumber && value !== "" ? decimalOf(value) : value;
}

/** A number is a double: 2500.7299999999996 is 2500.73. What is no kobo stays as it is, and is refused as an amount. */
function decimalOf(value: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  // An amount, or an id.
  if (Number.isSafeInteger(number)) return number.toString();
  const cents = number.toFixed(2);
  return Math.abs(Number(cents) - number) < 1e-6 ? cents : value;
}

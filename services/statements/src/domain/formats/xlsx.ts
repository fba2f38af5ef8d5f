import { strFromU8, type Unzipped, unzipSync } from "fflate";
import { fault } from "../fault.ts";
import { parseAmount, parseDay } from "../values.ts";
import { addRow, COLUMNS_MAX, type Mapping, type Row } from "./table.ts";
import { type Element, readXml } from "./xml.ts";

/** What the parts of a workbook may have together once they are unpacked. A sheet of 50,000 lines has 40 MB. */
const UNPACKED_MAX = 48 * 1024 * 1024;

/**
 * The rows of the first sheet that a workbook shows, with the texts and numbers of its cells. Another sheet may be a summary; one that has
 * lines, too, is a page or a month that would be lost.
 */
export function rowsOfXlsx(bytes: Uint8Array, { dateFormat }: Pick<Mapping, "dateFormat">): Row[] {
  const parts = unpack(bytes);
  const strings = sharedStrings(parts);
  const [first, ...others] = shownSheets(parts);
  if (!first) throw fault("missing", "The workbook has no sheet.");
  if (others.some((sheet) => rowsOf(sheet, strings).some((row) => isLine(row, dateFormat))))
    throw fault("several_sheets", "Several sheets of the workbook have lines: export them on one.");
  return rowsOf(first, strings);
}

/** A line has a day and an amount. */
function isLine({ cells }: Row, dateFormat: Mapping["dateFormat"]): boolean {
  const day = cells.findIndex((cell) => parseDay(cell, dateFormat) !== undefined);
  return day >= 0 && cells.toSpliced(day, 1).some((cell) => parseAmount(cell) !== undefined);
}

/** The directory of its sheets is a part of its own, which says by their ids in which parts they are. */
const [DIRECTORY, PARTS_OF_IDS] = ["xl/workbook.xml", "xl/_rels/workbook.xml.rels"];
const PART = /^xl\/(sharedStrings\.xml|workbook\.xml|_rels\/workbook\.xml\.rels|worksheets\/[^/]+\.xml)$/;

/** The declared sizes are what is reserved for each part: a part that is larger is broken. */
function unpack(bytes: Uint8Array): Unzipped {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!PART.test(name)) return false;
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

const numberIn = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0);

function shownSheets(parts: Unzipped): Uint8Array[] {
  const hidden = hiddenSheets(parts);
  return Object.entries(parts)
    .filter(([name]) => name.includes("worksheets/") && !hidden.has(name))
    .toSorted(([a], [b]) => numberIn(a) - numberIn(b))
    .map(([, sheet]) => sheet);
}

/** The names of their parts. */
function hiddenSheets(parts: Unzipped): Set<string> {
  const ids = new Set<string | undefined>();
  readPart(parts, DIRECTORY, (path, { attributes }) => {
    const [, id] = Object.entries(attributes).find(([name]) => name.endsWith(":id")) ?? [];
    if (path.endsWith("/sheet") && /^(veryH|h)idden$/.test(attributes.state ?? "")) ids.add(id);
  });
  const names = new Set<string>();
  readPart(parts, PARTS_OF_IDS, (path, { attributes: { Id, Target = "" } }) => {
    // From the root, or beside the directory.
    if (path.endsWith("/Relationship") && ids.has(Id))
      names.add(Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`);
  });
  return names;
}

function readPart(parts: Unzipped, name: string, close: (path: string, element: Element) => void): void {
  const part = parts[name];
  if (part) readXml(strFromU8(part), { close });
}

function sharedStrings(parts: Unzipped): string[] {
  const strings: string[] = [];
  let text = "";
  readPart(parts, "xl/sharedStrings.xml", (path, element) => {
    // Not the phonetic reading (rPh) of a text.
    if (path.endsWith("/t") && !path.endsWith("/rPh/t")) text += element.text;
    if (!path.endsWith("/si")) return;
    strings.push(text);
    text = "";
  });
  return strings;
}

function rowsOf(sheet: Uint8Array, strings: string[]): Row[] {
  const rows: Row[] = [];
  let row: Row = { at: 0, cells: [] };
  let value = "";
  readXml(strFromU8(sheet), {
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

import { strToU8, Zip, ZipDeflate } from "fflate";
import type { Cell, Column } from "../domain/cells.ts";

/** Spreadsheets open no more rows of a sheet than 1,048,576; the rest goes to further sheets. */
const SHEET_ROWS_MAX = 1_000_000;
/** XML that is collected before it is compressed. */
const CHUNK_CHARS = 64 * 1024;

type Options = { columns: Column[]; rows: AsyncIterable<Cell[]>; sheetRowsMax?: number };

/**
 * A workbook of cells, as they come: text is text and never a formula, amounts are numbers, and times are dates in Lagos. At
 * most a chunk of it is in memory.
 */
export async function* workbookOf({ columns, rows, sheetRowsMax = SHEET_ROWS_MAX }: Options) {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  const begin = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    return { write: (xml: string, isLast = false) => file.push(strToU8(xml), isLast) };
  };
  const header = columns.map((column) => (isTime(column) ? `${column.name} (Lagos)` : column.name));
  const beginSheet = (number: number) => {
    const sheet = begin(`xl/worksheets/sheet${number}.xml`);
    sheet.write(`${SHEET_START}${rowXml(header)}`);
    return sheet;
  };
  let [sheets, count, xml] = [1, 0, ""];
  let sheet = beginSheet(sheets);
  for await (const row of rows) {
    if (count === sheetRowsMax) {
      sheet.write(`${xml}${SHEET_END}`, true);
      sheet = beginSheet(++sheets);
      [count, xml] = [0, ""];
    }
    count++;
    xml += rowXml(row, columns);
    if (xml.length < CHUNK_CHARS) continue;
    sheet.write(xml);
    xml = "";
    yield* written.splice(0);
  }
  sheet.write(`${xml}${SHEET_END}`, true);
  for (const [name, content] of Object.entries(partsOf(sheets))) begin(name).write(`${XML}${content}`, true);
  zip.end();
  yield* written;
}

const isAmount = ({ name }: Column) =>
  /(^|_)(amount|fee|net|gross|collected|debit|credit|balance|money|settled|returned|out)(_|$)/.test(name);
const isTime = ({ name }: Column) => /(^|_)at$|^cut_off$/.test(name);

/** The styles of cells: as it is, an amount, a time. */
const [AMOUNT, TIME] = [1, 2];

function rowXml(cells: Cell[], columns?: Column[]): string {
  const xml = cells.map((cell, place) => {
    const column = columns?.[place];
    if (typeof cell === "number") return `<c s="${column && isAmount(column) ? AMOUNT : 0}"><v>${cell}</v></c>`;
    const ms = column && isTime(column) ? Date.parse(cell) : Number.NaN;
    if (!Number.isNaN(ms)) return `<c s="${TIME}"><v>${dayNumber(ms)}</v></c>`;
    return cell === "" ? "<c/>" : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  });
  return `<row>${xml.join("")}</row>`;
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** Days since the beginning of 1900, as spreadsheets count them, in Lagos: an hour ahead of UTC all year. */
const dayNumber = (ms: number) => (ms + HOUR_MS) / DAY_MS + 25_569;

/** Text in XML, without characters that XML cannot have, and with those that spreadsheets read as an escape. */
function escaped(text: string): string {
  return text
    .slice(0, 32_767)
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** The header stays in view. */
const SHEET_START = `${XML}<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15" baseColWidth="16"/><sheetData>`;
const SHEET_END = "</sheetData></worksheet>";

/** Everything else of a workbook with so many sheets. */
function partsOf(sheets: number): Record<string, string> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const each = (xml: (number: number) => string) => numbers.map(xml).join("");
  const styles = sheets + 1;
  return {
    "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${OFFICE}"><sheets>${each((n) => `<sheet name="Rows${n > 1 ? ` ${n}` : ""}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGE}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${styles}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet ${MAIN}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf/><xf numFmtId="4" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    "_rels/.rels": `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${CONTENT}.worksheet+xml"/>`)}</Types>`,
  };
}

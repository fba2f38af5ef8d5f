import { buffer } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import PDFDocument from "pdfkit";
import type { PrintedDocument, Table } from "../domain/document.ts";

/** The typeface is embedded: the ones that every reader has lack the sign of the naira. */
const fontOf = (name: string) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/arimo/${name}.ttf`));
const REGULAR = fontOf("400Regular/Arimo_400Regular");
const BOLD = fontOf("700Bold/Arimo_700Bold");

/** In points, of which an A4 page has 595 by 842. */
const [MARGIN, WIDTH, BOTTOM] = [56, 483, 842 - 56];
/** Around the text of a row: above, below, and to the next column. */
const [ABOVE, BELOW, GAP] = [8, 6.5, 8];
const [INK, QUIET, LINE] = ["#111111", "#555555", "#cccccc"];

/** On as many pages as it takes. The same document has the same bytes: nothing in it is of the time or the process that wrote it. */
export async function pdfOf({ title, subtitle, name, ...page }: PrintedDocument): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    lang: "en",
    displayTitle: true,
    info: { Title: name, Author: "Collect", CreationDate: page.writtenAt },
  });
  document.font(BOLD).fontSize(20).fillColor(INK).text(title);
  document.moveDown(0.5).fontSize(13);
  if (subtitle !== undefined) document.text(subtitle);
  document.font(REGULAR).fontSize(10).fillColor(QUIET);
  for (const fact of page.facts) document.moveDown(0.2).text(fact);
  for (const table of page.tables) {
    document.font(REGULAR).fontSize(10).moveDown(2);
    await write(document, table);
  }
  document.y += 13;
  document.font(REGULAR).fontSize(9).fillColor(QUIET);
  for (const note of page.notes) document.moveDown(0.4).text(note, MARGIN, document.y, { width: WIDTH });
  document.end();
  return buffer(document);
}

/** Rows between two turns of the event loop: 2,000 long ones take seconds. */
const ROWS_A_TURN = 10;

/** Its head stands again on each page. */
async function write(document: PDFKit.PDFDocument, table: Table): Promise<void> {
  const head = { cells: table.head, isBold: true };
  const begin = () => {
    rule(document);
    row(document, table, { line: head, height: heightOf(document, table, head) });
  };
  begin();
  for (const [place, line] of table.rows.entries()) {
    if (place % ROWS_A_TURN === 0) await nextTurn();
    const height = heightOf(document, table, line);
    if (document.y + height > BOTTOM) {
      document.addPage();
      begin();
    }
    row(document, table, { line, height });
  }
}

type Row = Table["rows"][number];

const style = (document: PDFKit.PDFDocument, { fontSize }: Table, { isBold }: Row) =>
  document
    .font(isBold ? BOLD : REGULAR)
    .fontSize(fontSize)
    .fillColor(INK);

const widthOf = ({ widths, amounts }: Table, place: number) =>
  (widths[place] ?? 0) - (amounts.includes(place) ? 0 : GAP);

function heightOf(document: PDFKit.PDFDocument, table: Table, line: Row): number {
  style(document, table, line);
  const heights = line.cells.map((cell, place) => document.heightOfString(cell, { width: widthOf(table, place) }));
  return Math.max(...heights) + ABOVE + BELOW;
}

function row(document: PDFKit.PDFDocument, table: Table, { line, height }: { line: Row; height: number }): void {
  const { y } = document;
  style(document, table, line);
  let x = MARGIN;
  for (const [place, cell] of line.cells.entries()) {
    const align = table.amounts.includes(place) ? "right" : "left";
    document.text(cell, x, y + ABOVE, { width: widthOf(table, place), align, features: ["tnum"] });
    x += table.widths[place] ?? 0;
  }
  document.y = y + height;
  rule(document);
}

function rule(document: PDFKit.PDFDocument): void {
  const { y } = document;
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
  document.x = MARGIN;
}

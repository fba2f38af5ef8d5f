import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import PDFDocument from "pdfkit";
import type { StatementPage } from "../domain/statement.ts";

/** The typeface is embedded: the ones that every reader has lack the sign of the naira. */
const fontOf = (name: string) => fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${name}.ttf`));
const REGULAR = fontOf("400Regular/Inter_400Regular");
const BOLD = fontOf("600SemiBold/Inter_600SemiBold");

/** In points, of which an A4 page has 595 by 842. */
const [MARGIN, WIDTH, ROW, AMOUNT_WIDTH] = [56, 483, 26, 150];
const [INK, QUIET, LINE] = ["#111111", "#555555", "#cccccc"];

/** A statement of one page. The same statement has the same bytes: nothing in it is of the time or the process that wrote it. */
export async function statementPdf(page: StatementPage): Promise<Buffer> {
  const document = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    lang: "en",
    displayTitle: true,
    info: { Title: `${page.title}, ${page.business}`, Author: "Collect", CreationDate: page.writtenAt },
  });
  document.font(BOLD).fontSize(20).fillColor(INK).text(page.title);
  document.moveDown(0.5).fontSize(13).text(page.business);
  document.font(REGULAR).fontSize(10).fillColor(QUIET);
  for (const fact of page.facts) document.moveDown(0.2).text(fact);
  document.moveDown(2);
  rule(document);
  row(document, { name: "", collected: "Collected", settled: "Settled", isBalance: true });
  for (const line of page.rows) row(document, line);
  document.y += ROW / 2;
  document.font(REGULAR).fontSize(9).fillColor(QUIET);
  for (const note of page.notes) document.moveDown(0.4).text(note, MARGIN, document.y, { width: WIDTH });
  document.end();
  return buffer(document);
}

type Row = StatementPage["rows"][number];

function row(document: PDFKit.PDFDocument, { name, collected, settled, isBalance }: Row): void {
  const y = document.y;
  const amountAt = (place: number) => MARGIN + WIDTH - (2 - place) * AMOUNT_WIDTH;
  const amount: PDFKit.Mixins.TextOptions = {
    width: AMOUNT_WIDTH,
    align: "right",
    lineBreak: false,
    features: ["tnum"],
  };
  document
    .font(isBalance ? BOLD : REGULAR)
    .fontSize(10)
    .fillColor(INK);
  document.text(name, MARGIN, y + 8, { lineBreak: false });
  document.text(collected, amountAt(0), y + 8, amount);
  document.text(settled, amountAt(1), y + 8, amount);
  document.y = y + ROW;
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

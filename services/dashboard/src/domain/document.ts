/** A document on paper; `http/pdf.ts` lays it out. */
export type PrintedDocument = {
  title: string;
  /** Below the title, such as a business. */
  subtitle?: string;
  /** As readers list it. */
  name: string;
  facts: string[];
  tables: Table[];
  notes: string[];
  /** The same document has the same bytes, so this is no clock's unless its content is of that moment. */
  writtenAt: Date;
};

export type Table = {
  /** In points: together at most 483. */
  widths: number[];
  /** The places of the columns with amounts. */
  amounts: number[];
  fontSize: number;
  head: string[];
  rows: { cells: string[]; isBold?: boolean }[];
};

/** Neither one of these scripts nor an accent. */
const LACKING = /\p{Variation_Selector}|[^\p{Mn}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic} -~‘’“”–—]/gu;

/** What the documents' typeface lacks, such as emoji, is left out. */
export function printable(text: string): string {
  const kept = text.replaceAll(/\s/g, " ").replaceAll(LACKING, "");
  return kept.replaceAll(/ {2,}/g, " ").trim();
}

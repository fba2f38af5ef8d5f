import { strToU8, zipSync } from "fflate";
import type { Mapping } from "../src/domain/formats/table.ts";
import type { Format } from "../src/domain/parse.ts";
import { kobo, type Line, type Part } from "../src/domain/statement.ts";

/** The files of a bank, in every format that is taken. */

export const ACCOUNT = "1234567890";

export type BankDay = { day: string; number: number; opening: bigint; closing: bigint; lines: BankLine[] };
export type BankLine = Pick<Line, "amount" | "references" | "sessionId" | "narration"> & { parts: Part[] };

export const MAPPING: Mapping = {
  headerRow: 3,
  dateFormat: "dd/MM/yyyy",
  isNewestFirst: false,
  columns: {
    ...{ date: "Trans Date", valueDate: "Value Date", narration: "Narration", references: ["Reference", "Session ID"] },
    ...{ debit: "Debit", credit: "Credit", balance: "Balance" },
  },
};

/** A day of the bank with these lines. */
export function aDay(
  day: string,
  opening: bigint,
  lines: Partial<BankLine>[],
  number = Number(day.slice(-2)),
): BankDay {
  const full = lines.map((line) => ({
    amount: 100n,
    references: [],
    sessionId: null,
    narration: "TRANSFER",
    parts: [],
    ...line,
  }));
  return { day, number, opening, closing: full.reduce((sum, { amount }) => sum + amount, opening), lines: full };
}

/** A bank's file of these days, which follow each other. */
export function fileOf(format: Format, days: BankDay[]): Uint8Array {
  switch (format) {
    case "camt.053":
      return strToU8(camtOf(days));
    case "mt940":
      return strToU8(days.map(mt940Of).join("\r\n"));
    case "csv":
      return strToU8(
        table(days)
          .map((cells) => cells.map(quoted).join(","))
          .join("\r\n"),
      );
    case "xlsx":
      return workbookOf(table(days));
    default:
      return format satisfies never;
  }
}

export function camtOf(days: BankDay[], version = "08"): string {
  const statements = days.map(({ day, number, opening, closing, lines }) => {
    const balance = (code: string, amount: bigint) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${signed(amount)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
    return `<Stmt><Id>S${number}</Id><ElctrncSeqNb>${number}</ElctrncSeqNb>
<FrToDt><FrDtTm>${day}T00:00:00</FrDtTm><ToDtTm>${day}T23:59:59</ToDtTm></FrToDt>
<Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id></Acct>${balance("OPBD", opening)}${balance("CLBD", closing)}
${lines.map((line) => entryOf(line, day, version)).join("\n")}
</Stmt>`;
  });
  const namespace = `urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}`;
  return `<?xml version="1.0"?>\n<Document xmlns="${namespace}"><BkToCstmrStmt>${statements.join("\n")}</BkToCstmrStmt></Document>`;
}

const unsigned = (amount: bigint) => kobo(amount < 0n ? -amount : amount);
const signed = (amount: bigint) =>
  `<Amt Ccy="NGN">${unsigned(amount)}</Amt><CdtDbtInd>${amount < 0n ? "DBIT" : "CRDT"}</CdtDbtInd>`;

function entryOf({ amount, references, narration, parts }: BankLine, day: string, version: string): string {
  const details = (parts.length > 0 ? parts : [{ amount, references: [], narration }]).map(
    (part) =>
      `<TxDtls><Refs>${part.references.map((id) => `<EndToEndId>${id}</EndToEndId>`).join("")}</Refs>${
        version === "02"
          ? `<AmtDtls><TxAmt><Amt Ccy="NGN">${unsigned(part.amount)}</Amt></TxAmt></AmtDtls>`
          : signed(part.amount)
      }<RmtInf><Ustrd>${part.narration}</Ustrd></RmtInf></TxDtls>`,
  );
  const status = version === "02" ? "<Sts>BOOK</Sts>" : "<Sts><Cd>BOOK</Cd></Sts>";
  const [reference] = references;
  return `<Ntry>${signed(amount)}${status}<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>${
    reference ? `<AcctSvcrRef>${reference}</AcctSvcrRef>` : ""
  }<NtryDtls>${details.join("")}</NtryDtls></Ntry>`;
}

const flat = (lines: BankLine[]) => lines.flatMap((line) => (line.parts.length > 0 ? line.parts : [line]));

export function mt940Of({ day, number, opening, closing, lines }: BankDay): string {
  const date = day.slice(2).replaceAll("-", "");
  const swift = (amount: bigint) => unsigned(amount).replace(".", ",");
  const mark = (amount: bigint) => (amount < 0n ? "D" : "C");
  return [
    ...["{1:F01BANKNGLAXXXX0000000000}{2:I940BANKNGLAXXXXN}{4:", `:20:STMT${number}`],
    ...[`:25:${ACCOUNT}`, `:28C:${number}/1`, `:60F:${mark(opening)}${date}NGN${swift(opening)}`],
    ...flat(lines).flatMap(({ amount, references: [reference], narration }) => [
      `:61:${date}${date.slice(2)}${mark(amount)}${swift(amount)}NTRF${reference ? `NONREF//${reference}` : "NONREF"}`,
      // A narration is broken wherever a line is full.
      `:86:${narration.match(/.{1,50}/g)?.join("\r\n")}`,
    ]),
    ...[`:62F:${mark(closing)}${date}NGN${swift(closing)}`, "-}"],
  ].join("\r\n");
}

/** The rows of a bank's own export, with its letterhead and its total. */
function table(days: BankDay[]): string[][] {
  let balance = days[0]?.opening ?? 0n;
  const grouped = (amount: bigint) => unsigned(amount).replace(/\B(?=(\d{3})+\.)/g, ",");
  const rows = days.flatMap(({ day, lines }) =>
    flat(lines).map(({ amount, references, sessionId, narration }) => {
      balance += amount;
      const date = day.split("-").toReversed().join("/");
      const columns = amount < 0n ? [grouped(amount), ""] : ["", grouped(amount)];
      return [date, date, narration, references[0] ?? "", sessionId ?? "", ...columns, grouped(balance)];
    }),
  );
  const header = ["Trans Date", "Value Date", "Narration", "Reference", "Session ID", "Debit", "Credit", "Balance"];
  return [["Harbour Bank"], [`Account ${ACCOUNT}`], header, ...rows, ["", "", "End of statement"]];
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const NUMBER = /^[\d,]+\.\d+$|^\d{5}$/;
export const workbookOf = (rows: string[][], number = NUMBER) => workbookOfSheets([{ rows }], number);

export function workbookOfSheets(sheets: { rows: string[][]; state?: string }[], number = NUMBER): Uint8Array {
  const strings = new Map<string, number>();
  const cell = (text: string, column: number, row: number) => {
    const address = `${String.fromCharCode(65 + column)}${row + 1}`;
    // The session ids, of 30 digits, are texts, as are dates; amounts are numbers.
    if (number.test(text)) return `<c r="${address}"><v>${text.replaceAll(",", "")}</v></c>`;
    if (text === "") return "";
    if (!strings.has(text)) strings.set(text, strings.size);
    return `<c r="${address}" t="s"><v>${strings.get(text)}</v></c>`;
  };
  const rowOf = (cells: string[], row: number) =>
    `<row r="${row + 1}">${cells.map((text, column) => cell(text, column, row)).join("")}</row>`;
  const parts = sheets.map(({ rows }, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    strToU8(`<worksheet><sheetData>${rows.map(rowOf).join("")}</sheetData></worksheet>`),
  ]);
  const shared = [...strings.keys()].map((text) => `<si><t>${text}</t></si>`).join("");
  // Ids and sheets are not numbered alike.
  const id = (index: number) => `rId${sheets.length - index}`;
  const named = sheets.map(
    ({ state = "visible" }, index) =>
      `<sheet name="S${index}" sheetId="${index + 7}" state="${state}" r:id="${id(index)}"/>`,
  );
  const related = sheets.map(
    (_, index) => `<Relationship Id="${id(index)}" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  return zipSync({
    "[Content_Types].xml": strToU8("<Types/>"),
    "xl/workbook.xml": strToU8(`<workbook><sheets>${named.join("")}</sheets></workbook>`),
    "xl/_rels/workbook.xml.rels": strToU8(`<Relationships>${related.join("")}</Relationships>`),
    ...Object.fromEntries(parts),
    "xl/sharedStrings.xml": strToU8(`<sst>${shared}</sst>`),
  });
}

/** Banks have one format; a month in all of them proves that they are the same. */
export const FORMATS_OF_DAYS: Format[] = ["camt.053", "mt940", "csv", "xlsx"];

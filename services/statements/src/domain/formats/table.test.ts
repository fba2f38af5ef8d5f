import { Problem } from "@collect/contracts";
import { strToU8 } from "fflate";
import { expect, test } from "vitest";
import { parseStatements } from "../parse.ts";
import type { Mapping } from "./table.ts";

const COLUMNS = ["Date", "Reference", "Narration", "Debit", "Credit", "Balance"];
const MAPPING: Mapping = {
  headerRow: 1,
  dateFormat: "yyyy-MM-dd",
  isNewestFirst: false,
  columns: {
    date: "Date",
    references: ["Reference"],
    narration: "Narration",
    debit: "Debit",
    credit: "Credit",
    balance: "Balance",
  },
};
const LINES = ["2026-11-20,z1,x,,100.00,100.00", "2026-11-20,z2,y,,50.00,150.00"];
const csv = (...rows: string[]) => [COLUMNS.join(","), ...rows].join("\n");

/** The amounts and the closing balance, or the code of the refusal with its line. */
function read(file: string | Uint8Array, mapping = MAPPING) {
  try {
    const [statement] = parseStatements(typeof file === "string" ? strToU8(file) : file, mapping);
    return [statement?.lines.map(({ amount }) => Number(amount)), Number(statement?.closing)];
  } catch (error) {
    if (error instanceof Problem) return [error.errors?.[0]?.code, error.errors?.[0]?.param];
    throw error;
  }
}
const BOTH = [[10_000, 5_000], 15_000];

test("a file that ends within a row was cut off, and words below the lines are not a row", () => {
  expect(read(csv(...LINES, "202"))).toEqual(["truncated", "line 4"]);
  expect(read(csv(...LINES, "2026-11-21,z3,z,9.0"))).toEqual(["truncated", "line 4"]);
  expect(read(csv(...LINES))).toEqual(BOTH);
  expect(read(csv(...LINES, "End of statement"))).toEqual(BOTH);
  expect(read(csv(...LINES, "Totals,,,0.00,150.00,"))).toEqual(BOTH);
  expect(read(csv(...LINES, "Printed 21/11/2026 10:00,,,,,"))).toEqual(BOTH);
});

test("a row with a date and without an amount has the balance of its place", () => {
  expect(read(csv("2026-11-20,,Brought forward,,,0.00", ...LINES, "2026-11-20,,Carried forward,,,150.00"))).toEqual(
    BOTH,
  );
  expect(read(csv(...LINES, "2026-11-20,z3,lost its amount,,,141.00"))).toEqual(["running_balance", "line 4"]);
  expect(read(csv("2026-11-20,,Brought forward,,,7.00", ...LINES))).toEqual(["running_balance", "line 3"]);
});

test("a row with an amount and without a day is refused, and sums and words are no rows", () => {
  for (const date of ["########", "-", "**", "Pending", ""])
    expect(read(csv(...LINES, `${date},z3,z,,9.00,159.00`, "Totals,,,0.00,159.00,"))[0]).toBe("invalid_date");
  expect(read(csv("Pending,z0,x,,7.00,7.00", ...LINES))).toEqual(["invalid_date", "line 2"]);
  for (const words of [
    "Totals,,,9.00,159.00,150.00",
    ",,Totals,9.00,159.00,",
    "Pending,z3,z,,9.00,",
    "Available,,,,,140.00",
    "2 transactions",
  ])
    expect(read(csv(...LINES, words))).toEqual(BOTH);
  expect(read(csv("20/11/2026 10:00,,Printed,,,", "2026-11-20,,Brought forward,,,", ...LINES))).toEqual(BOTH);
});

test("what is wider than the lines does not make them short", () => {
  const letterhead = { ...MAPPING, headerRow: 2 };
  expect(read(["a,b,c,d,e,f,g,h", `${COLUMNS.join()},`, ...LINES].join("\n"), letterhead)).toEqual(BOTH);
  const columns = ["Reference", "Date", "Narration", "Debit", "Credit", "Balance"];
  const lines = ["z1,2026-11-20,x,,100.00,100.00", "z2,2026-11"];
  expect(read([columns.join(), ...lines].join("\n"))).toEqual(["truncated", "line 3"]);
});

test("amounts may have the sign of the naira, and parentheses say that they are negative", () => {
  const { debit, credit, ...columns } = MAPPING.columns;
  const signed = { ...MAPPING, columns: { ...columns, amount: "Debit" } };
  expect(read(csv("2026-11-20,z1,x,₦100.00,,NGN 100.00", "2026-11-20,z2,y,(30.00),,₦70.00"), signed)).toEqual([
    [10_000, -3_000],
    7_000,
  ]);
  expect(read(csv("2026-11-20,z1,x,(5.00),,(5.00)"))).toEqual(["invalid_amount", "line 2"]);
});

test("a file is read in the encoding that it declares", () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, ...Buffer.from(csv(...LINES), "utf16le")]);
  expect(read(utf16)).toEqual(BOTH);
  expect(read(Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]))).toEqual(["unknown_format", "file"]);
});

test("a file that declares no encoding is read in its account's, and bytes that are no text there are refused with their line", () => {
  const old = { ...MAPPING, encoding: "windows-1252" as const };
  const file = (encoding: BufferEncoding, narration: string) =>
    Buffer.from(csv(`2026-11-20,z1,${narration},,1.00,1.00`), encoding);
  const narration = (bytes: Uint8Array, mapping: Mapping) => parseStatements(bytes, mapping)[0]?.lines[0]?.narration;
  // 0x80 and 0x96 are in Windows-1252 alone: a euro sign and a dash.
  const latin = file("latin1", "Caf\xe9 \x80 \x96");
  expect(narration(latin, old)).toBe("Café € –");
  expect(read(latin)).toEqual(["unknown_format", "line 2"]);
  expect(narration(file("utf8", "Café"), MAPPING)).toBe("Café");
  expect(read(file("utf8", "Café"), old)).toEqual(["unknown_format", "file"]);
  expect(narration(file("utf8", "Cafe"), old)).toBe("Cafe");
  expect(read(file("latin1", "Caf\x81"), old)).toEqual(["unknown_format", "line 2"]);
  // What the file itself says counts first.
  expect(narration(Buffer.concat([strToU8("\ufeff"), file("utf8", "Café")]), old)).toBe("Café");
  expect(narration(Buffer.from(`\ufeff${file("utf8", "Café")}`, "utf16le"), old)).toBe("Café");
});

test("days of other centuries are damaged, and a character is never cut in half", () => {
  expect(read(csv("0000-05-05,z1,x,,100.00,100.00"))).toEqual(["invalid_date", "line 2"]);
  const [statement] = parseStatements(strToU8(csv(`2026-11-20,${"r".repeat(79)}😀,x,,100.00,100.00`)), MAPPING);
  expect(statement?.lines[0]?.references).toEqual(["r".repeat(79)]);
});

test("columns, elements and attributes without end are counted as they come", () => {
  expect(read(csv(",".repeat(15_000)))).toEqual(["malformed", "line 2"]);
  const attributes = Array.from({ length: 60 }, (_, n) => `a${n}="1"`).join(" ");
  expect(read(`<Document ${attributes}/>`)).toEqual(["malformed", "line 1"]);
  expect(read(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${"<a/>".repeat(2_600_000)}`)[0]).toBe(
    "too_large",
  );
});

import { Problem } from "@collect/contracts";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { aDay, camtOf, fileOf, MAPPING, workbookOf } from "../../test/files.ts";
import { makeMonth } from "../../test/month.ts";
import { addDays } from "./calendar.ts";
import { type Format, mayHaveSeveral, parseStatements } from "./parse.ts";
import type { Statement } from "./statement.ts";

const month = makeMonth({ seed: 7, collections: 24, days: 2 });
const FORMATS: Format[] = ["camt.053", "mt940", "csv", "xlsx"];
const parse = (content: string | Uint8Array) =>
  parseStatements(typeof content === "string" ? strToU8(content) : content, MAPPING);

/** The first code of the refusal, and the line it names. */
function refusal(content: string | Uint8Array): [code: string | undefined, where: string | undefined] {
  try {
    parse(content);
  } catch (error) {
    if (error instanceof Problem) return [error.errors?.[0]?.code, error.errors?.[0]?.param];
    throw error;
  }
  return ["none", undefined];
}

const movements = (statements: Statement[]) =>
  statements.flatMap(({ lines }) =>
    lines
      .flatMap(({ parts, ...line }) => (parts.length > 0 ? parts : [line]))
      .map(({ amount, sessionId, references }) => ({
        ...{ amount, sessionId, payout: references.find((id) => id.startsWith("trf_")) },
      })),
  );

test.each(FORMATS)("%s: every movement arrives with its sign, its session id and our payout's id", (format) => {
  const statements = parse(fileOf(format, month.days));
  const expected = month.days.flatMap(({ lines }) =>
    lines
      .flatMap(({ parts, ...line }) => (parts.length > 0 ? parts : [line]))
      .map(({ amount, sessionId, references }) => ({
        ...{ amount, sessionId, payout: references.find((id) => id.startsWith("trf_")) },
      })),
  );
  expect(movements(statements)).toEqual(expected);
  expect(statements[0]?.opening).toBe(month.days[0]?.opening);
  expect(statements.at(-1)?.closing).toBe(month.days.at(-1)?.closing);
});

test("only a table is sure to have one statement, in whichever encoding", () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
  const texts = FORMATS.slice(0, 3).map((format) => new TextDecoder().decode(fileOf(format, month.days)));
  const several = [true, true, false];
  expect(texts.map((text) => mayHaveSeveral(strToU8(text)))).toEqual(several);
  expect(texts.map((text) => mayHaveSeveral(strToU8(`\ufeff${text}`)))).toEqual(several);
  expect(texts.map((text) => mayHaveSeveral(utf16(text)))).toEqual(several);
  expect(mayHaveSeveral(Buffer.from(`:20:CAF\xc9\n${texts[1]}`, "latin1"))).toBe(true);
  expect(mayHaveSeveral(fileOf("xlsx", month.days))).toBe(false);
});

test.each(["02", "08", "13"])("camt.053.001.%s is read, with batched lines as their parts", (version) => {
  const [first, second] = parse(camtOf(month.days, version));
  expect([first?.from, first?.to, first?.number]).toEqual(["2026-10-01", "2026-10-01", "1"]);
  expect(second?.lines.filter(({ parts }) => parts.length > 1).length).toBe(1);
});

test("a period that ends when the next day begins is of the day before", () => {
  const camt = camtOf(month.days).replaceAll(
    /<ToDtTm>(\S+?)T23:59:59/g,
    (_, day) => `<ToDtTm>${addDays(day, 1)}T00:00:00`,
  );
  expect(parse(camt).map(({ from, to }) => [from, to])).toEqual([
    ["2026-10-01", "2026-10-01"],
    ["2026-10-02", "2026-10-02"],
  ]);
});

test("a time with an offset is of the day that it is in Lagos, and one without is of its own", () => {
  const timed = (booked: string, from = "2026-10-01T00:00:00", to = "2026-10-02T23:59:59") => {
    const [statement] = parse(
      camtOf([aDay("2026-10-01", 0n, [{}])])
        .replace("<BookgDt><Dt>2026-10-01</Dt>", `<BookgDt><DtTm>${booked}</DtTm>`)
        .replace("2026-10-01T00:00:00", from)
        .replace("2026-10-01T23:59:59", to),
    );
    return [statement?.lines[0]?.bookedOn, statement?.from, statement?.to];
  };
  const days = ["2026-10-01", "2026-10-02"];
  for (const late of ["2026-10-01T23:30:00Z", "2026-10-01T23:30:00.5+00:00", "2026-10-02T00:30:00+01:00"])
    expect(timed(late)).toEqual(["2026-10-02", ...days]);
  for (const early of ["2026-10-01T22:30:00Z", "2026-10-01T23:30:00", "2026-10-01T23:30:00+01:00", "2026-10-01"])
    expect(timed(early)).toEqual(["2026-10-01", ...days]);
  for (const end of ["2026-10-02T23:00:00Z", "2026-10-02T22:59:59Z", "2026-10-03T00:00:00+01:00"])
    expect(timed("2026-10-01", "2026-09-30T23:00:00Z", end)).toEqual(["2026-10-01", ...days]);
  expect(() => timed("2026-02-30T10:00:00Z", "2026-02-01T00:00:00")).toThrow("not a statement");
  // A bank whose days are those of another clock has a line on the day that it writes, if the statement has no other.
  const day = "2026-10-01";
  expect(timed(`${day}T23:30:00Z`, `${day}T00:00:00Z`, `${day}T23:59:59Z`)).toEqual([day, day, day]);
  // The days are what is meant, on whichever clock.
  expect(timed("2026-10-01", "2026-10-01T00:00:00Z", "2026-10-02T23:59:59Z")).toEqual(["2026-10-01", ...days]);
  expect(timed("2026-10-01", "2026-10-01T00:00:00Z", "2026-10-03T00:00:00Z")).toEqual(["2026-10-01", ...days]);
});

test("an MT940 without booking dates is booked on the day of its closing balance, and its subfields are one text", () => {
  const sessionId = "000014000013261005093000123456";
  const lines = [":61:261003C5,00NTRFNONREF", `:86:?20FROM ADA ${sessionId.slice(0, 10)}?21${sessionId.slice(10)}`];
  const text = [":20:S", ":25:1234567890", ":28C:7", ":60F:C261002NGN0,00", ...lines, ":62F:C261005NGN5,00"].join("\n");
  const [statement] = parse(text);
  expect(statement).toMatchObject({ from: "2026-10-05", to: "2026-10-05" });
  expect(statement?.lines).toMatchObject([{ bookedOn: "2026-10-05", valueOn: "2026-10-03", sessionId }]);
});

test("a narration goes on in a line that begins with a hyphen, up to the hyphen that ends the message", () => {
  const sessionId = "000014000013261005093000123456";
  const lines = [":61:2610051005C5,00NTRFNONREF", ":86:FROM ADA", `-${sessionId} `, "- THANKS"];
  for (const end of [["-}"], ["-}{5:{CHK:1}}"], ["- "], []]) {
    const text = [":20:S", ":25:1234567890", ":28C:7", ":60F:C261005NGN0,00", ...lines, ":62F:C261005NGN5,00", ...end];
    const [statement] = parse(text.join("\r\n"));
    expect(statement?.lines).toMatchObject([{ narration: `FROM ADA -${sessionId} - THANKS`, sessionId }]);
    // Nor is that of a narration where fields follow it.
    const cut = parse(text.toSpliced(-1 - end.length, 0, ...end).join("\n"));
    expect(cut[0]?.lines).toMatchObject([{ narration: `FROM ADA -${sessionId} - THANKS` }]);
  }
});

test("what banks write where there is no reference is none", () => {
  const line = ":61:2610051005C5,00NTRFNONREF  //NONREF \n:86:A";
  const [mt940] = parse(`:20:S\n:25:1234567890\n:28C:7\n:60F:C261005NGN0,00\n${line}\n:62F:C261005NGN5,00`);
  const [camt] = parse(camtOf([aDay("2026-10-05", 0n, [{ references: ["NOTPROVIDED"] }])]));
  for (const statement of [mt940, camt]) expect(statement?.lines).toMatchObject([{ references: [] }]);
});

test("a camt.053 that does not say for which days it is begins with its first line", () => {
  const camt = camtOf(month.days).replaceAll(/<FrToDt>.*?<\/FrToDt>/g, "");
  const [first] = parse(camt.replaceAll("<Dt><Dt>2026-10-01", "<Dt><Dt>2026-10-02"));
  expect(first).toMatchObject({ from: "2026-10-01", to: "2026-10-02" });
});

test("what cannot be printed becomes a space: no database takes a NUL", () => {
  const narrations = (files: (string | Uint8Array)[]) =>
    files.map((file) => parse(file)[0]?.lines[0]?.narration.replace(/[^ -~]/g, "?"));
  const csv = new TextDecoder().decode(fileOf("csv", month.days)).replace(/NIP TRANSFER/, "NIP\0TRANS\u001bFER");
  const camt = camtOf(month.days).replace(/NIP TRANSFER/, "NIP\u0001TRANS\u001bFER");
  for (const narration of narrations([csv, camt])) expect(narration).toMatch(/^NIP TRANS FER/);
  expect(refusal(camt.replace("NIP", "&#0;"))[0]).toBe("malformed");
});

test("a camt.053 of another version, or another message, is no statement", () => {
  expect(refusal(camtOf(month.days, "99"))).toEqual(["unknown_format", "line 2"]);
  expect(refusal("<Document xmlns='urn:iso:std:iso:20022:tech:xsd:pain.001.001.03'/>")[0]).toBe("unknown_format");
});

describe("a file that does not add up is refused, with its line", () => {
  const camt = camtOf(month.days);
  test("the closing balance is not where the lines lead", () => {
    expect(refusal(camt.replace(/<Ntry>.*\n/, ""))[0]).toBe("closing_balance");
  });
  test("a running balance is wrong", () => {
    const csv = new TextDecoder().decode(fileOf("csv", month.days));
    const rows = csv.split("\r\n");
    const broken = [...rows.slice(0, 8), ...rows.slice(9)].join("\r\n");
    expect(refusal(broken)).toEqual(["running_balance", "line 9"]);
  });
  test("the parts of a batch are not the batch", () => {
    const [before = "", batch = ""] = camt.split(/(?=<AcctSvcrRef>BATCH)/);
    const broken = batch.replace(/(<\/Refs><Amt Ccy="NGN">)[\d.]+/, "$10.01");
    expect(refusal(before + broken)[0]).toBe("batch_sum");
  });
  test("a line is of a day outside the statement", () => {
    expect(refusal(camt.replace("<BookgDt><Dt>2026-10-01", "<BookgDt><Dt>2026-09-01"))[0]).toBe("outside_period");
  });
  test("another currency", () => {
    expect(refusal(camt.replace('Ccy="NGN"', 'Ccy="USD"'))[0]).toBe("wrong_currency");
  });
  test("an MT940 that breaks off", () => {
    const text = new TextDecoder().decode(fileOf("mt940", month.days));
    expect(refusal(text.slice(0, -200))[0]).toMatch(/missing|malformed/);
  });
  test("a column of the mapping is missing", () => {
    expect(refusal("a\nb\nTrans Date,Narration\n")).toEqual(["missing", "line 3"]);
  });
});

describe("a hostile file costs nothing", () => {
  test("entities of a document type are not expanded, and nothing outside is read", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${"x".repeat(1_000)}"><!ENTITY b SYSTEM "file:///etc/passwd">]>`;
    const camt = camtOf(month.days).replace("?>\n", `?>\n${bomb}`).replace("NIP TRANSFER", "&a;&b;");
    expect(refusal(camt)).toEqual(["malformed", "line 2"]);
  });
  test("elements are not nested without end", () => {
    expect(
      refusal(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${"<a>".repeat(100_000)}`)[0],
    ).toBe("malformed");
  });
  test("a workbook whose parts say that they are too large, or smaller than they are, is refused", () => {
    const workbook = fileOf("xlsx", month.days);
    expect(refusal(withSizes(workbook, 120 * 1024 * 1024))[0]).toBe("too_large");
    expect(refusal(withSizes(workbook, 1_000))[0]).toBe("malformed");
  });
  test("a workbook without a sheet, and one with a broken one, are refused", () => {
    expect(refusal(zipSync({ "a.txt": strToU8("a") }))[0]).toBe("missing");
    expect(refusal(zipSync({ "xl/worksheets/sheet1.xml": strToU8("<a") }))[0]).toBe("malformed");
    expect(refusal(workbookOf([["a"]]))[0]).toBe("missing");
  });
  test("rows and entries without end are counted as they come", () => {
    expect(refusal(`a,b\n${"\n".repeat(200_000)}`)[0]).toBe("too_many_lines");
    expect(refusal(`a,b\n${"1,2\n".repeat(60_000)}`)[0]).toBe("too_many_lines");
    const entries = ":61:2611231123C1,00NTRFNONREF\n".repeat(50_001);
    expect(refusal(`:20:S1\n:25:1234567890\n${entries}`)).toEqual(["too_many_lines", "line 50003"]);
    const [before = ""] = camtOf(month.days).split("<Ntry>");
    expect(refusal(before + "<Ntry/>".repeat(100_001))[0]).toBe("too_many_lines");
  });
  test("a file that is too large is not read", () => {
    expect(refusal(new Uint8Array(16 * 1024 * 1024 + 1))[0]).toBe("too_large");
  });
});

/** With another size of every part in its directory. */
function withSizes(workbook: Uint8Array, size: number): Uint8Array {
  const bytes = Uint8Array.from(workbook);
  const view = new DataView(bytes.buffer);
  const [signature, sizeAt] = [0x02014b50, 24];
  for (let at = 0; at < bytes.length - sizeAt; at++)
    if (view.getUint32(at, true) === signature) view.setUint32(at + sizeAt, size, true);
  return bytes;
}

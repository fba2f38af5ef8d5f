import { listDayGroup, putStatementPart, STATEMENT_PART_MAX, showDay, type WireResult } from "@collect/contracts";
import { extractText } from "unpdf";
import { expect, test } from "vitest";
import { useOperatorPages } from "./operator-pages.ts";

const { others, raw, call, signIn } = await useOperatorPages();
const cookie = await signIn();

type Sheet = WireResult<typeof showDay>;
const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null };
const CLOSED: Sheet = {
  ...{ day: "2026-11-20", state: "closed", closed_at: "2026-11-21T08:30:00.000+00:00", closed_by: "bola" },
  accounts: [
    {
      ...{ number: "1234567890", bank: "058", opening: "0", in: "99999999999", out: "-5", charges: "-5250" },
      ...{ closing: "99999994744", lines: 4, matched: 1, booked: "99999993298", difference: "1446" },
    },
  ],
  ledger: { opening: "0", closing: "99999993298" },
  ...{ difference: "1446", items_total: 2, settled: [], blocked_by: null },
  items: [
    {
      ...ITEM,
      key: "line:17",
      class: "charge",
      amount: "-5250",
      what: "MAINTENANCE 🌸 FEE",
      reason: "Monthly",
      explained_by: "ada",
    },
    { ...ITEM, key: "int_2", class: "timing", amount: "6696", what: "", settled: true },
  ],
};
others.reply(showDay, ({ day }) => ({ ...CLOSED, day }));

const file = async (name: string) => {
  const response = await raw(`days/2026-11-20/report.${name}`, { cookie });
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const textOf = async (pdf: Buffer) => (await extractText(new Uint8Array(pdf), { mergePages: true })).text;

test("the report of a day as CSV and as PDF has the same figures, to the kobo, as the answer that its page shows", async () => {
  const csv = await file("csv");
  expect(csv.headers.get("content-disposition")).toBe('attachment; filename="day-2026-11-20.csv"');
  expect(csv.bytes.toString().split("\r\n").slice(1, 5)).toEqual([
    "2026-11-20,account,1234567890,058,0.00,999999999.99,-0.05,-52.50,999999947.44,999999932.98,14.46,,,,",
    "2026-11-20,ledger,,,0.00,,,,999999932.98,999999932.98,,,,,",
    "2026-11-20,total,,,,,,,,,14.46,,,,",
    "2026-11-20,line:17,1234567890,MAINTENANCE 🌸 FEE,,,,,,,-52.50,charge,Monthly,ada,",
  ]);
  const pdf = await file("pdf");
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  expect((await textOf(pdf.bytes)).split("\n").slice(0, 9)).toEqual([
    "Day at the bank, 20 November 2026",
    "Closed by bola, 21 November 2026, 09:30, Lagos time",
    "Opening In Out Charges Closing Ledger Difference",
    "1234567890 at 058 0.00 999,999,999.99 −0.05 −52.50 999,999,947.44 999,999,932.98 14.46",
    "Our ledger 0.00 999,999,932.98 999,999,932.98",
    "Difference 14.46",
    "Difference What it is Reason Amount",
    "Bank charge MAINTENANCE FEE Monthly (ada) −52.50",
    "Timing int_2 Settled on another day 66.96",
  ]);
});

test("no amount of up to a hundred billion is broken over two lines", async () => {
  const [all, minus] = ["9999999999999", "-9999999999999"];
  const sums = { opening: all, in: all, out: minus, charges: minus, closing: minus, booked: minus, difference: minus };
  const accounts = CLOSED.accounts.map((account) => ({ ...account, ...sums }));
  others.reply(showDay, ({ day }) => ({ ...CLOSED, day, accounts, difference: minus }));
  const lines = (await textOf((await file("pdf")).bytes)).split("\n");
  const [plus, less] = ["99,999,999,999.99", "−99,999,999,999.99"];
  expect(lines).toContain(`1234567890 at 058 ${plus} ${plus}${` ${less}`.repeat(5)}`);
  expect(lines).toContain(`Difference ${less}`);
  others.reply(showDay, ({ day }) => ({ ...CLOSED, day }));
});

test("what was matched by the amount alone is marked in both, and counted of each account", async () => {
  const accounts = CLOSED.accounts.map((account) => ({ ...account, matched_by_amount: 3 }));
  others.reply(showDay, () => ({
    ...CLOSED,
    accounts,
    items: CLOSED.items.map((item) => ({ ...item, by_amount: true })),
  }));
  const csv = (await file("csv")).bytes.toString().split("\r\n");
  expect([csv[1], csv[5]]).toEqual([expect.stringMatching(/,14\.46,,,,3$/), expect.stringMatching(/,timing,,,yes$/)]);
  // The words go on in another line.
  const text = (await textOf((await file("pdf")).bytes)).replaceAll("\n", " ");
  expect(text).toContain("Timing int_2 Settled on another day, by the amount alone 66.96");
  expect(text).toContain("Of 1234567890 at 058, 3 of 4 lines are matched by the amount alone.");
  others.reply(showDay, ({ day }) => ({ ...CLOSED, day }));
  expect(await textOf((await file("pdf")).bytes)).not.toContain("by the amount alone");
});

test("the report of a closed day has the same bytes every time; an open one says of when it is, and what it waits for", async () => {
  expect((await file("pdf")).bytes.equals((await file("pdf")).bytes)).toBe(true);
  const open = {
    state: "open" as const,
    closed_at: null,
    closed_by: null,
    blocked_by: "Lines of the difference without a reason: 1.",
  };
  others.reply(showDay, () => ({ ...CLOSED, ...open }));
  const text = await textOf((await file("pdf")).bytes);
  expect(text).toMatch(/Open, as of \d+ \w+ \d{4}, \d\d:\d\d, Lagos time/);
  expect(text).toContain("It cannot be closed yet. Lines of the difference without a reason: 1.");
});

test("a long report goes over pages, each with the names of its columns, and none of its lines is left out", async () => {
  const items = Array.from({ length: 120 }, (_, index) => ({
    ...{
      ...ITEM,
      key: `line:${index}`,
      class: "bank_only" as const,
      amount: "1",
      what: `LINE-${index}-${"x".repeat(80)}`,
    },
  }));
  others.reply(showDay, () => ({ ...CLOSED, items, items_total: 125 }));
  const { totalPages, text } = await extractText(new Uint8Array((await file("pdf")).bytes), { mergePages: true });
  expect(totalPages).toBeGreaterThan(3);
  expect(text.match(/What it is/g)?.length).toBe(totalPages);
  expect(new Set(text.match(/LINE-\d+-/g)).size).toBe(120);
  expect(text).toContain("5 lines are left out");
});

test("of a group the CSV has each line, a page after another, and the PDF its count; a CSV that cannot be finished is no file", async () => {
  const group = { ...ITEM, key: "group:line:1:abc", class: "bank_only" as const, amount: "3", count: 2 };
  const items = [{ ...group, what: "2 lines: the largest 0.02 B" }];
  others.reply(showDay, () => ({ ...CLOSED, items, items_total: 2, difference: "3" }));
  others.reply(listDayGroup, ({ after }) =>
    after === undefined
      ? { data: [{ key: "line:1", amount: "1", what: "A", charge: null }], next: "line:1" }
      : { data: [{ key: "line:2", amount: "2", what: "B", charge: null }], next: null },
  );
  expect((await file("csv")).bytes.toString().split("\r\n").slice(4)).toEqual([
    "2026-11-20,line:1,1234567890,A,,,,,,,0.01,bank_only,,,",
    "2026-11-20,line:2,1234567890,B,,,,,,,0.02,bank_only,,,",
    "",
  ]);
  const text = await textOf((await file("pdf")).bytes);
  expect(text).toContain("2 lines: the largest 0.02 B");
  expect(text).toContain("The CSV has each of them.");
  expect(text).not.toContain("left out");
  others.refuse(listDayGroup, "conflict");
  await expect(file("csv")).rejects.toThrow();
  others.refuse(listDayGroup, undefined);
});

test("a report needs a session, a day and a day that is known; it is only read", async () => {
  for (const format of ["csv", "pdf"]) {
    expect((await call(`days/2026-11-20/report.${format}`)).code).toBe("sign_in_required");
    expect((await call(`days/2026-11-31/report.${format}`, { cookie })).code).toBe("validation_failed");
    expect((await call(`days/2026-11-20/report.${format}`, { cookie, body: {} })).status).toBe(405);
    others.refuse(showDay, "not_found");
    expect((await call(`days/2026-11-20/report.${format}`, { cookie })).status).toBe(404);
    others.refuse(showDay, undefined);
  }
});

test("an operator has three reports written at once", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async () => (await raw("days/2026-11-20/report.pdf", { cookie })).status),
  );
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3);
});

test("a part of a file is stored for operators who are signed in, up to its size", async () => {
  const part = (bytes: number) => ({ hash: "0".repeat(64), part: 1, data: Buffer.alloc(bytes).toString("base64") });
  expect((await call("statements/parts", { body: part(10) })).code).toBe("sign_in_required");
  expect(others.askedOf(putStatementPart)).toEqual([]);
  expect((await call("statements/parts", { cookie, body: part(STATEMENT_PART_MAX) })).status).toBe(200);
  expect(others.askedOf(putStatementPart).length).toBe(1);
  // Whose it is the session says, and not the browser.
  expect((await call("statements/parts", { cookie, body: { ...part(10), uploader: "bola" } })).status).toBe(200);
  expect(others.askedOf(putStatementPart)).toMatchObject([{ uploader: "ada" }, { uploader: "ada" }]);
  expect((await call("statements/parts", { cookie, body: part(STATEMENT_PART_MAX + 4_096) })).status).toBe(413);
  expect((await call("statements/parts", { cookie, body: { hash: "x" } })).code).toBe("validation_failed");
});

test("the balances as a whole are in both, with what is timing and what is not booked", async () => {
  const balance = {
    at_banks: "123451446",
    in_ledger: "123450000",
    difference: "1446",
    timing: "1500",
    unbooked: "-54",
  };
  others.reply(showDay, ({ day }) => ({ ...CLOSED, day, balance }));
  expect((await file("csv")).bytes.toString()).toContain(
    "2026-11-20,balance,,,,,,,1234514.46,1234500.00,14.46,,,,\r\n",
  );
  const text = (await textOf((await file("pdf")).bytes)).replaceAll("\n", " ");
  expect(text).toContain("Balance, all 1,234,514.46 1,234,500.00 14.46");
  expect(text).toContain("Its difference of 14.46 is 15.00 of timing and −0.54 that no day was closed with as booked.");
  others.reply(showDay, ({ day }) => ({ ...CLOSED, day }));
  expect(await textOf((await file("pdf")).bytes)).not.toContain("Balance, all");
});

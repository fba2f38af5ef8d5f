import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { dayReportCsv, type ReadGroup } from "../src/day-report.ts";

const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null };
const SHEET: Parameters<typeof dayReportCsv>[0] = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, blocked_by: null },
  accounts: [
    {
      ...{ number: "1234567890", bank: "058", opening: "0", in: "123456701", out: "-5", charges: "-5250" },
      ...{ closing: "123451446", lines: 4, matched: 1, booked: "123450000", difference: "1446" },
    },
  ],
  ledger: { opening: "0", closing: "123450000" },
  difference: "1446",
  items_total: 2,
  items: [
    { ...ITEM, key: "line:17", class: "charge", amount: "-5250", what: '=CHARGE "A", B', settled: false },
    {
      ...{ ...ITEM, key: "match:4", class: "different_amount", amount: "6696", what: "FROM ADA" },
      ...{ reason: "Paid twice\nasked the bank", explained_by: "ada" },
    },
  ],
  settled: [],
};

const unasked: ReadGroup = () => Promise.reject(new Error("the sheet has no group"));
const report = (sheet: typeof SHEET, readGroup = unasked): Promise<string[]> =>
  Readable.from(dayReportCsv(sheet, readGroup)).toArray();

test("the report of a day has its accounts, the ledger and each line of the difference, in naira to the kobo", async () => {
  expect(await report(SHEET)).toEqual([
    "day,section,account,what,opening,in,out,charges,closing,ledger,difference,class,reason,explained by,by amount",
    "2026-11-20,account,1234567890,058,0.00,1234567.01,-0.05,-52.50,1234514.46,1234500.00,14.46,,,,",
    "2026-11-20,ledger,,,0.00,,,,1234500.00,1234500.00,,,,,",
    "2026-11-20,total,,,,,,,,,14.46,,,,",
    `2026-11-20,line:17,1234567890,"'=CHARGE ""A"", B",,,,,,,-52.50,charge,,,`,
    '2026-11-20,match:4,1234567890,FROM ADA,,,,,,,66.96,different_amount,"Paid twice\nasked the bank",ada,',
  ]);
});

test("lines that have no room are counted, with the sums of what is settled", async () => {
  const settled = [{ class: "timing" as const, items: 40, amount: "-100" }];
  expect((await report({ ...SHEET, items_total: 42, difference: "1346", settled })).at(-1)).toBe(
    "2026-11-20,left out,,40 lines are left out; settled are 40 timing -1.00,,,,,,,-1.00,,,,",
  );
});

test("what was matched by the amount alone is marked, and counted of each account", async () => {
  const accounts = SHEET.accounts.map((account) => ({ ...account, matched_by_amount: 1 }));
  const late = { ...ITEM, key: "match:5", class: "timing" as const, amount: "7700", what: "A", settled: true };
  const items = [
    { ...late, by_amount: true },
    { ...late, key: "match:6", by_amount: false },
  ];
  const lines = await report({ ...SHEET, accounts, items, difference: "15400" });
  expect([lines[1], ...lines.slice(4)]).toEqual([
    "2026-11-20,account,1234567890,058,0.00,1234567.01,-0.05,-52.50,1234514.46,1234500.00,14.46,,,,1",
    "2026-11-20,match:5,1234567890,A,,,,,,,77.00,timing,,,yes",
    "2026-11-20,match:6,1234567890,A,,,,,,,77.00,timing,,,",
  ]);
});

test("a sheet of an earlier release has the figures of our books for all accounts only", async () => {
  const accounts = SHEET.accounts.map(({ booked, difference, ...account }) => account);
  expect((await report({ ...SHEET, accounts }))[1]).toBe(
    "2026-11-20,account,1234567890,058,0.00,1234567.01,-0.05,-52.50,1234514.46,,,,,,",
  );
});

test("instead of a group it has each line in it, a page after another, with the reason of all", async () => {
  const given = { ...ITEM, class: "bank_only" as const, reason: "Sent by the bank", explained_by: "ada" };
  const group = { ...given, key: "group:line:1:abc", amount: "6", what: "3 lines", count: 3 };
  const line = (number: number) => ({ key: `line:${number}`, amount: String(number), what: "A", charge: null });
  const pages = new Map([
    [undefined, { data: [line(1), line(2)], next: "line:2" }],
    ["line:2", { data: [line(3)], next: null }],
  ]);
  const read: ReadGroup = async (of, after) => {
    expect(of).toBe(group.key);
    return pages.get(after) ?? { data: [], next: null };
  };
  const sheet = { ...SHEET, items: [group, { ...given, key: "line:9", amount: "9", what: "B" }], items_total: 4 };
  expect((await report({ ...sheet, difference: "15" }, read)).slice(4)).toEqual([
    ...[1, 2, 3].map(
      (number) => `2026-11-20,line:${number},1234567890,A,,,,,,,0.0${number},bank_only,Sent by the bank,ada,`,
    ),
    "2026-11-20,line:9,1234567890,B,,,,,,,0.09,bank_only,Sent by the bank,ada,",
  ]);
});

test("the balances as a whole are in rows of their own, and a sheet of an earlier release has none", async () => {
  const balance = {
    at_banks: "123451446",
    in_ledger: "123450000",
    difference: "1446",
    timing: "1500",
    unbooked: "-54",
  };
  expect((await report({ ...SHEET, balance })).slice(4, 7)).toEqual([
    "2026-11-20,balance,,,,,,,1234514.46,1234500.00,14.46,,,,",
    "2026-11-20,balance timing,,,,,,,,,15.00,,,,",
    "2026-11-20,balance not booked,,,,,,,,,-0.54,,,,",
  ]);
  expect((await report(SHEET)).some((row) => row.includes(",balance"))).toBe(false);
});

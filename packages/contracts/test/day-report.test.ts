import { expect, test } from "vitest";
import { dayReportCsv } from "../src/day-report.ts";

const ITEM = { account: "1234567890", settled: false, reason: null, explained_by: null };
const SHEET: Parameters<typeof dayReportCsv>[0] = {
  ...{ day: "2026-11-20", state: "open", closed_at: null, closed_by: null, blocked_by: null },
  accounts: [
    {
      ...{ number: "1234567890", bank: "058", opening: "0", in: "123456701", out: "-5", charges: "-5250" },
      ...{ closing: "123451446", lines: 4, matched: 1 },
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

test("the report of a day has its accounts, the ledger and each line of the difference, in naira to the kobo", () => {
  expect(dayReportCsv(SHEET).split("\r\n")).toEqual([
    "day,section,account,what,opening,in,out,charges,closing,difference,class,reason,explained by",
    "2026-11-20,account,1234567890,058,0.00,1234567.01,-0.05,-52.50,1234514.46,,,,",
    "2026-11-20,ledger,,,0.00,,,,1234500.00,,,,",
    "2026-11-20,total,,,,,,,,14.46,,,",
    `2026-11-20,line:17,1234567890,"'=CHARGE ""A"", B",,,,,,-52.50,charge,,`,
    '2026-11-20,match:4,1234567890,FROM ADA,,,,,,66.96,different_amount,"Paid twice\nasked the bank",ada',
  ]);
});

test("lines that have no room are counted, with the sums of what is settled", () => {
  const settled = [{ class: "timing" as const, items: 40, amount: "-100" }];
  expect(
    dayReportCsv({ ...SHEET, items_total: 42, difference: "1346", settled })
      .split("\r\n")
      .at(-1),
  ).toBe("2026-11-20,left out,,40 lines are left out; settled are 40 timing -1.00,,,,,,-1.00,,,");
});

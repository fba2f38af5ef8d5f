import { expect, test } from "vitest";
import { statementPage } from "./statement.ts";

const MONTH = {
  from: "2026-10-31T23:00:00.000+00:00",
  before: "2026-11-30T23:00:00.000+00:00",
  opening: { collected: 10, settled: -0.5 },
  ...{ money_in: 1_234_567.01, fees: 10, settled: 900, transfers_out: 253, returned: 0, lines: 1 },
  closing: { collected: 1_233_667.01, settled: 646.5 },
};
const merchant = { id: "mer_1", name: "Ada Stores", mode: "live" as const };

test("a month that is over is the same whenever it is written", () => {
  const [first, later] = ["2026-11-30T23:00:00.000+00:00", "2027-03-01T10:00:00.000+00:00"].map((as_of) =>
    statementPage({ ...MONTH, as_of }, { merchant }),
  );
  expect(first).toEqual(later);
  expect(first).toMatchObject({ title: "Statement for November 2026", writtenAt: new Date(MONTH.before) });
  expect(first?.facts[0]).toBe("1 November 2026 to 30 November 2026, Lagos time");
  expect(first?.rows.map(({ name, collected, settled }) => [name, collected, settled])).toEqual([
    ["Opening balance", "₦10.00", "−₦0.50"],
    ["Payments received", "₦1,234,567.01", ""],
    ["Fees", "−₦10.00", ""],
    ["Settled", "−₦900.00", "₦900.00"],
    ["Transfers out", "", "−₦253.00"],
    ["Transfers returned", "", "₦0.00"],
    ["Closing balance", "₦1,233,667.01", "₦646.50"],
  ]);
  expect(first?.notes[0]).toContain("The opening balance plus 1 line equals the closing balance.");
});

test("a month that is not over says so, and since when it may have changed; test money is named", () => {
  const as_of = "2026-11-30T22:59:59.999+00:00";
  const page = statementPage({ ...MONTH, fees: 0, as_of }, { merchant: { ...merchant, mode: "test" } });
  expect(page.writtenAt).toEqual(new Date(as_of));
  expect(page.rows.at(-1)?.name).toBe("Balance so far");
  expect(page.notes.at(-1)).toBe("The month is not over: this is as of 30 November 2026, 23:59, Lagos time.");
  expect(page.facts).toContain("Test mode: no real money");
  expect(page.rows[2]?.collected).toBe("₦0.00");
});

test("a month of which the ledger did not say whether it is over has no closing balance", () => {
  const page = statementPage(MONTH, { merchant });
  expect(page.rows.at(-1)?.name).toBe("Balance so far");
  expect(page.notes.at(-1)).toContain("The month may not be over");
});

test("the name of a business is without what the typeface lacks", () => {
  const businessOf = (name: string) => statementPage(MONTH, { merchant: { ...merchant, name } }).business;
  expect(businessOf("🌸 Ọlá’s Ṣẹ̀gi 👩‍🌾 & Sons – 2")).toBe("Ọlá’s Ṣẹ̀gi & Sons – 2");
  expect(businessOf("Ada Stores ❤️ يوسف")).toBe("Ada Stores");
});

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  QuickBooksJournal,
  QuickBooksStatement,
  quickBooksJournal,
  quickBooksStatement,
  XeroJournal,
  XeroStatement,
  xeroJournal,
  xeroStatement,
} from "./accounting.ts";

const ACCOUNTS = { settled_account: "615", fee_account: "404", sales_account: "200", tax_rate: "Tax Exempt" };
const settlement = (amount: number, fee: number, net: number, covered?: number) => ({
  reference: "stl_0123456789abcdef0123456789abcdef",
  // The first of December in Lagos.
  created_at: "2026-11-30T23:00:01.204+00:00",
  totals: { amount, fee, covered, net },
});
const ADA = settlement(2_500.73, 25.01, 2_475.72);

test("Xero's statement has what was received and the fees, on the day in Lagos", () => {
  expect(xeroStatement(ADA).map((row) => Object.values(row))).toEqual([
    ["01/12/2026", 2_500.73, "Collect", "Payments received", ADA.reference],
    ["01/12/2026", -25.01, "Collect", "Fees on payments received", ADA.reference],
  ]);
});

test("Xero's journal is one narration with debits above zero and credits below", () => {
  const narration = `Collect settlement ${ADA.reference}`;
  expect(xeroJournal(ADA, ACCOUNTS).map((row) => Object.values(row).slice(0, 6))).toEqual([
    [narration, "01/12/2026", "Settled", "615", "Tax Exempt", 2_475.72],
    [narration, "01/12/2026", "Fees on payments received", "404", "Tax Exempt", 25.01],
    [narration, "01/12/2026", "Payments received", "200", "Tax Exempt", -2_500.73],
  ]);
});

test("what Settled covered after a reversal has left it: only the rest of the settlement is added to it", () => {
  // 1,000.00 were taken back and covered, and 100.00 received since: 99.00 settled.
  const reversed = settlement(-900, -9, 99, 990);
  expect(xeroStatement(reversed).map((row) => row["*Amount"])).toEqual([-900, 9]);
  expect(xeroJournal(reversed, ACCOUNTS).map((row) => row["*Amount"])).toEqual([-891, -9, 900]);
});

test("QuickBooks' journal is one number of at most 21 characters, with debits and credits apart", () => {
  expect(quickBooksJournal(ADA, ACCOUNTS).map((row) => Object.values(row).slice(0, 5))).toEqual([
    ["stl_0123456789abcdef0", "01/12/2026", "615", 2_475.72, null],
    ["stl_0123456789abcdef0", "01/12/2026", "404", 25.01, null],
    ["stl_0123456789abcdef0", "01/12/2026", "200", null, 2_500.73],
  ]);
});

test("every layout has the columns of the product's template, in its order", () => {
  const columns = [XeroStatement, XeroJournal, QuickBooksStatement, QuickBooksJournal].map((row) =>
    Object.keys(row.shape).join(","),
  );
  expect(columns).toEqual([
    "*Date,*Amount,Payee,Description,Reference",
    "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2",
    "Date,Description,Amount",
    "*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description",
  ]);
});

test("whatever was settled, each layout adds up to it in kobo, and no line is zero", () => {
  const kobo = fc.integer({ min: 1, max: 2 ** 46 });
  const koboOf = (naira: number | null) => Math.round((naira ?? 0) * 100);
  const sum = (amounts: (number | null)[]) => amounts.map(koboOf).reduce((one, other) => one + other, 0);
  fc.assert(
    fc.property(
      kobo,
      fc.integer({ min: 0, max: 9_999 }),
      fc.integer({ min: 0, max: 2 ** 46 }),
      (received, basisPoints, reversed) => {
        const gross = received - reversed;
        const fee = Math.trunc((gross * basisPoints) / 10_000);
        const covered = Math.max(0, fee - gross);
        const one = settlement(gross / 100, fee / 100, (gross - fee + covered) / 100, covered / 100);
        const statements = [
          xeroStatement(one).map((row) => row["*Amount"]),
          quickBooksStatement(one).map((row) => row.Amount),
        ];
        for (const amounts of statements) expect(sum(amounts)).toBe(gross - fee);
        const journals = [
          xeroJournal(one, ACCOUNTS).map((row) => row["*Amount"]),
          quickBooksJournal(one, ACCOUNTS).map((row) => (row["*Debits"] ?? 0) - (row["*Credits"] ?? 0)),
        ];
        for (const amounts of journals) expect(sum(amounts)).toBe(0);
        for (const amounts of [...statements, ...journals]) expect(amounts).not.toContain(0);
      },
    ),
  );
});

test("a journal that does not balance is refused", () => {
  expect(() => xeroJournal(settlement(100, 1, 98), ACCOUNTS)).toThrow("does not balance");
});

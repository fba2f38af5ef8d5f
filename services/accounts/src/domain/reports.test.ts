import type { BankReport } from "@collect/bank";
import { expect, test } from "vitest";
import { contradictedFields } from "./reports.ts";

const report: BankReport = {
  ...{ type: "credit", id: "s-1", reverses: null, sessionId: null, settlementId: "s-1", accountNumber: "9000000001" },
  ...{ amount: 5_000n, bankFee: 0n, bankVat: 0n, currency: "NGN", narration: null, paidAt: null },
  payer: { name: "Chidi Eze", accountNumber: null, bankName: null },
};

test("a report contradicts the bank in what decides about the money, and in nothing that it leaves to the bank", () => {
  expect(contradictedFields(report, { ...report, bankFee: 10n, narration: "rent" })).toEqual([]);
  expect(contradictedFields({ ...report, accountNumber: "", amount: 0n, currency: "" }, report)).toEqual([]);
  const other = { ...report, type: "reversal", accountNumber: "9000000002", amount: 4_999n, currency: "USD" };
  expect(contradictedFields(report, other)).toEqual(["type", "accountNumber", "amount", "currency"]);
});

import type { BankReport } from "@collect/bank";
import { expect, test } from "vitest";
import { contradictionOf } from "./settled.ts";

const settled = { bankTransferId: "M1", settlementId: "S1", amount: 100_000n, reservation: "iss_1" };
const found: BankReport = {
  ...{ type: "credit", id: "M1", reverses: null, sessionId: null, settlementId: null, reservation: "iss_1" },
  ...{ accountNumber: "6000000001", amount: 100_000n, bankFee: 1_500n, bankVat: 0n, currency: "NGN" },
  ...{ payer: { name: "Ada Obi", accountNumber: null, bankName: null }, narration: null, paidAt: null },
};

test("what the partner says is the transfer that it settled, if nothing of it differs", () => {
  expect(contradictionOf(settled, found)).toBeUndefined();
});

test("what one of the two does not say contradicts nothing", () => {
  expect(contradictionOf({ ...settled, amount: null, reservation: null }, found)).toBeUndefined();
  const { reservation: _, ...unreserved } = found;
  expect(contradictionOf(settled, unreserved)).toBeUndefined();
});

test.each<[string, BankReport | undefined, string]>([
  ["no transfer", undefined, "does not know it"],
  ["one that was not paid", { ...found, type: "payment_pending" }, "says payment_pending"],
  ["one that was taken back", { ...found, type: "reversal" }, "says reversal"],
  ["another transfer", { ...found, id: "M2" }, "says another id"],
  ["another amount", { ...found, amount: 100_001n }, "says ₦1,000.01 and not ₦1,000.00"],
  ["another account", { ...found, reservation: "iss_2" }, "says another account"],
])("a partner that says %s contradicts its settlement", (_case, answer, says) => {
  expect(contradictionOf(settled, answer)).toBe(`settled in S1, but the bank, asked for it, ${says}`);
});

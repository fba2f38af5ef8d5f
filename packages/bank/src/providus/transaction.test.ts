import fc from "fast-check";
import { expect, test } from "vitest";
import { confirmedTransfer } from "./transaction.ts";

const naira = (kobo: bigint) => `${kobo / 100n}.${(kobo % 100n).toString().padStart(2, "0")}`;
const answer = (amounts: object) => ({
  settlementId: "S1",
  accountNumber: "9977581536",
  currency: "NGN",
  ...amounts,
});
const kobo = (max: bigint) => fc.bigInt({ min: 0n, max });

test("what the bank keeps and what reaches our account are what was paid, to the kobo, for any charges", () => {
  fc.assert(
    fc.property(kobo(10n ** 12n), kobo(10n ** 7n), kobo(10n ** 6n), (settled, fee, vat) => {
      const amount = settled + fee + vat;
      fc.pre(amount > 0n);
      const stated = { transactionAmount: amount, settledAmount: settled, feeAmount: fee, vatAmount: vat };
      const asText = Object.fromEntries(Object.entries(stated).map(([field, value]) => [field, naira(value)]));
      expect(confirmedTransfer("S1", answer(asText))).toMatchObject({ amount, bankFee: fee, bankVat: vat });
    }),
  );
});

test("whatever charges the bank names, what reached our account is what it settled", () => {
  fc.assert(
    fc.property(kobo(10n ** 9n), kobo(10n ** 9n), kobo(10n ** 6n), kobo(10n ** 6n), (settled, kept, fee, vat) => {
      fc.pre(settled > 0n);
      const amounts = { transactionAmount: naira(settled + kept), settledAmount: naira(settled) };
      const report = confirmedTransfer("S1", answer({ ...amounts, feeAmount: naira(fee), vatAmount: naira(vat) }));
      const { bankFee = -1n, bankVat = -1n } = report ?? {};
      expect(bankFee >= 0n && bankVat >= 0n).toBe(true);
      expect(bankFee + bankVat).toBe(kept);
    }),
  );
});

test("charges above the amount of an unsettled transfer are refused", () => {
  const amounts = { transactionAmount: "10", settledAmount: "0", feeAmount: "9.99", vatAmount: "0.02" };
  expect(() => confirmedTransfer("S1", answer(amounts))).toThrow(/contradict/);
});

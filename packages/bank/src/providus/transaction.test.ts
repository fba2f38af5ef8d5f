import { Problem } from "@collect/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { claimedTransfer, confirmedTransfer } from "./transaction.ts";

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
      expect(confirmedTransfer({ settlementId: "S1" }, answer(asText))).toMatchObject({
        amount,
        bankFee: fee,
        bankVat: vat,
      });
    }),
  );
});

test("whatever charges the bank names, what reached our account is what it settled", () => {
  fc.assert(
    fc.property(kobo(10n ** 9n), kobo(10n ** 9n), kobo(10n ** 6n), kobo(10n ** 6n), (settled, kept, fee, vat) => {
      fc.pre(settled > 0n);
      const amounts = { transactionAmount: naira(settled + kept), settledAmount: naira(settled) };
      const report = confirmedTransfer(
        { settlementId: "S1" },
        answer({ ...amounts, feeAmount: naira(fee), vatAmount: naira(vat) }),
      );
      const { bankFee = -1n, bankVat = -1n } = report ?? {};
      expect(bankFee >= 0n && bankVat >= 0n).toBe(true);
      expect(bankFee + bankVat).toBe(kept);
    }),
  );
});

test("charges above the amount of an unsettled transfer are refused", () => {
  const amounts = { transactionAmount: "10", settledAmount: "0", feeAmount: "9.99", vatAmount: "0.02" };
  expect(() => confirmedTransfer({ settlementId: "S1" }, answer(amounts))).toThrow(/contradict/);
});

const VALID = {
  ...{ settlementId: "S1", sessionId: "000016", accountNumber: "9977581536", currency: "NGN", tranRemarks: "rent" },
  ...{ transactionAmount: 100, settledAmount: 98.5, feeAmount: 1.4, vatAmount: 0.1 },
  ...{ sourceAccountNumber: "2093566866", sourceAccountName: "Ngozi Eze", sourceBankName: "UBA" },
  tranDateTime: "2021-03-01 18:06:20",
};
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  // Text of characters that fill two units, so that a limit cuts one of them.
  fc.nat(150).map((length) => `x${"🏦".repeat(length)}`),
);
/** A valid transfer with up to three fields that are anything, or missing. */
const bodies = fc
  .subarray(Object.keys(VALID), { maxLength: 3 })
  .chain((fields) =>
    fc.record(Object.fromEntries(fields.map((field) => [field, fc.option(anything, { nil: undefined })]))),
  )
  .map((changes) => ({ ...VALID, ...changes }));
/** Text that PostgreSQL can store. */
const isStorable = (report: object) => !/[\0\p{Cs}]/u.test(Object.values(report).join(" "));

test("whatever a notification says, it names a transfer in text that can be stored, or is refused by a Problem", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const claimed = attempt(() => claimedTransfer(body));
      if (claimed instanceof Error) expect(claimed).toBeInstanceOf(Problem);
      else
        expect([claimed.id, isStorable({ ...claimed, ...claimed.payer })]).toEqual([
          String(body.settlementId).trim(),
          true,
        ]);
    }),
    { numRuns: 1_000 },
  );
});

test("whatever the bank answers, only the transfer that was asked for is confirmed, with an account and an amount", () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const confirmed = attempt(() => confirmedTransfer({ settlementId: "S1" }, body));
      if (!confirmed || confirmed instanceof Error) return;
      expect(confirmed).toMatchObject({ id: "S1", type: "credit", accountNumber: expect.stringMatching(/^\d{10}$/) });
      expect(confirmed.amount > 0n && confirmed.bankFee + confirmed.bankVat <= confirmed.amount).toBe(true);
      expect(isStorable({ ...confirmed, ...confirmed.payer })).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

function attempt<Result>(work: () => Result): Result | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNuban, nuban } from "../nuban.ts";
import { createTestBank, TEST_BANK, testBankAccount } from "./test-bank.ts";

const serials = fc.bigInt({ min: 0n, max: 999_999_999n });

test("every serial gives the same valid account number of the test bank every time", () => {
  fc.assert(
    fc.property(serials, (serial) => {
      const accountNumber = testBankAccount(serial);
      expect(isNuban(TEST_BANK.code, accountNumber)).toBe(true);
      expect(testBankAccount(serial)).toBe(accountNumber);
    }),
  );
});

test("two serials never share an account number", () => {
  fc.assert(
    fc.property(fc.uniqueArray(serials, { minLength: 2, maxLength: 50 }), (different) => {
      expect(new Set(different.map(testBankAccount)).size).toBe(different.length);
    }),
  );
});

test.each([-1n, 1_000_000_000n])("serial %s is refused, never wrapped around", (serial) =>
  expect(() => testBankAccount(serial)).toThrow(RangeError),
);

describe("the test bank's payouts are scripted by the last serial digit:", () => {
  const bank = createTestBank();
  const payoutTo = (digit: number) => ({
    id: "trf_1",
    bankCode: TEST_BANK.code,
    accountNumber: testBankAccount(BigInt(700 + digit)),
    accountName: "Ngozi Eze",
    amount: 100n,
    narration: null,
  });

  test.each([
    [0, "success", "success"],
    [1, "success", "success"],
    [2, "failed", "failed"],
    [3, "provider_timeout", "success"],
    [4, "provider_timeout", "failed"],
    [5, "success", "reversed"],
    [7, "success", "success"],
    [8, "success", "success"],
    [9, "success", "success"],
  ])("%i returns %s, and %s when it is looked up", async (digit, paid, enquired) => {
    const answer = await bank.pay(payoutTo(digit)).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect(answer).toBe(paid);
    expect(await bank.enquire(payoutTo(digit))).toMatchObject({ status: enquired });
  });

  test("6 does not exist; all others have a holder that never changes", async () => {
    for (const digit of [0, 1, 2, 3, 4, 5, 7, 8, 9]) {
      const name = await bank.nameOf(payoutTo(digit));
      expect(name).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
      expect(await bank.nameOf(payoutTo(digit))).toBe(name);
    }
    expect(await bank.nameOf(payoutTo(6))).toBeUndefined();
  });

  test("accounts of other banks have the same script", async () => {
    const at = (serial: string) => ({
      ...payoutTo(1),
      bankCode: "058",
      accountNumber: nuban({ bankCode: "058", serial }),
    });
    expect(await bank.nameOf(at("000000701"))).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
    expect(await bank.nameOf(at("000000706"))).toBeUndefined();
    expect(await bank.pay(at("000000702"))).toMatchObject({ status: "failed" });
  });
});

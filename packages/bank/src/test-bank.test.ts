import fc from "fast-check";
import { expect, test } from "vitest";
import { isNuban } from "./nuban.ts";
import { TEST_BANK, testBankAccount } from "./test-bank.ts";

const serials = fc.bigInt({ min: 0n, max: 999_999_999n });

test("every serial gives a valid account number of the test bank, the same each time", () => {
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

test.each([-1n, 1_000_000_000n])("serial %s is refused, never wrapped round", (serial) =>
  expect(() => testBankAccount(serial)).toThrow(RangeError),
);

import fc from "fast-check";
import { expect, test } from "vitest";
import { accountName, collectionAccountName } from "./account-name.ts";

const customers = fc
  .string({ minLength: 1, maxLength: 100, unit: "grapheme" })
  .filter((name) => [...name].length <= 100);

test("the customer's name stands verbatim in the account name, which a bank can hold", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300 }), customers, (business, customer) => {
      const name = accountName(business, customer);
      expect(name.endsWith(` / ${customer}`)).toBe(true);
      expect([...name].length).toBeLessThanOrEqual(128);
    }),
  );
});

test("the business is shortened, and only when it must be", () => {
  expect(accountName("Acme Stores", "Ada Obi")).toBe("Acme Stores / Ada Obi");
  expect(accountName("A".repeat(200), "Ada Obi")).toBe(`${"A".repeat(117)}… / Ada Obi`);
});

test("an account of the business itself stands in its own name", () => {
  expect(collectionAccountName("Acme Stores")).toBe("Acme Stores");
  expect(collectionAccountName("A".repeat(128))).toBe("A".repeat(128));
  expect(collectionAccountName("A".repeat(129))).toBe(`${"A".repeat(127)}…`);
});

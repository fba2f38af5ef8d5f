import fc from "fast-check";
import { expect, test } from "vitest";
import { accountName, collectionAccountName } from "./account-name.ts";

const customers = fc
  .string({ minLength: 1, maxLength: 100, unit: "grapheme" })
  .filter((name) => [...name].length <= 100);

test("the account name contains the customer's name verbatim, within the bank's limit", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 300 }), customers, (business, customer) => {
      const name = accountName(business, customer);
      expect(name.endsWith(` / ${customer}`)).toBe(true);
      expect([...name].length).toBeLessThanOrEqual(128);
    }),
  );
});

test("the business name is shortened only when necessary", () => {
  expect(accountName("Acme Stores", "Ada Obi")).toBe("Acme Stores / Ada Obi");
  expect(accountName("A".repeat(200), "Ada Obi")).toBe(`${"A".repeat(117)}… / Ada Obi`);
});

test("a collection account is in the name of the business", () => {
  expect(collectionAccountName("Acme Stores")).toBe("Acme Stores");
  expect(collectionAccountName("A".repeat(128))).toBe("A".repeat(128));
  expect(collectionAccountName("A".repeat(129))).toBe(`${"A".repeat(127)}…`);
});

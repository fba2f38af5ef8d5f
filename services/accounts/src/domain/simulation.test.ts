import { MAX_KOBO } from "@collect/money";
import fc from "fast-check";
import { expect, test } from "vitest";
import { amountSent } from "./simulation.ts";

test("underpaid is less, overpaid is more, paid is exactly what is owed", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 6n, max: MAX_KOBO }), (owed) => {
      expect(amountSent("paid", owed)).toBe(owed);
      expect(amountSent("underpaid", owed)).toBeLessThan(owed);
      expect(amountSent("overpaid", owed)).toBeGreaterThan(owed);
    }),
  );
});

test("the amounts are 90 % and 110 %, rounded to the kobo", () => {
  expect(amountSent("underpaid", 250_073n)).toBe(225_066n);
  expect(amountSent("overpaid", 250_073n)).toBe(275_080n);
});

test("an amount of which 90 % is nothing less cannot be underpaid", () => {
  expect(() => amountSent("underpaid", 1n)).toThrow("too small");
  expect(() => amountSent("underpaid", 5n)).toThrow("too small");
  expect(amountSent("underpaid", 6n)).toBe(5n);
});

test("expired sends nothing", () => expect(amountSent("expired", 100n)).toBeUndefined());

import { PAYMENT_MAX_KOBO } from "@collect/money";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amountSent, customerPayment, owedBy } from "./simulation.ts";

/** The largest amount whose 110 % is within the limit. */
const LARGEST_OVERPAID = (PAYMENT_MAX_KOBO * 10n) / 11n;

test("underpaid is less, overpaid is more, paid is exactly what is owed", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 6n, max: LARGEST_OVERPAID }), (owed) => {
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

test("an amount whose 90 % is not less cannot be underpaid", () => {
  expect(() => amountSent("underpaid", 1n)).toThrow("too small");
  expect(() => amountSent("underpaid", 5n)).toThrow("too small");
  expect(amountSent("underpaid", 6n)).toBe(5n);
});

test("an amount whose 110 % is above the limit cannot be overpaid", () => {
  expect(amountSent("overpaid", LARGEST_OVERPAID)).toBeLessThanOrEqual(PAYMENT_MAX_KOBO);
  expect(() => amountSent("overpaid", LARGEST_OVERPAID + 2n)).toThrow("A payment may be at most ₦10,000,000,000.00");
  expect(() => amountSent("overpaid", PAYMENT_MAX_KOBO)).toThrow("A payment may be at most ₦10,000,000,000.00");
});

test.each(["paid", "underpaid", "overpaid"] as const)("no payment exceeds the limit: %s", (outcome) => {
  const wrong = { code: "validation_failed", errors: [expect.objectContaining({ param: "amount", code: "too_big" })] };
  expect(() => amountSent(outcome, 2n * PAYMENT_MAX_KOBO)).toThrow(expect.objectContaining(wrong));
});

test("expired sends nothing", () => expect(amountSent("expired", 100n)).toBeUndefined());

const session = (given: Partial<Parameters<typeof owedBy>[0]> = {}) => ({
  amount: 250_073n,
  amount_missing: 250_073n,
  is_open: true,
  ...given,
});

describe("a payment into a customer's account", () => {
  test("owes the amount given, otherwise the amount missing from the open session", () => {
    const toppedUp = session({ amount_missing: 73n });
    expect(customerPayment("paid", { amount: undefined, session: toppedUp })).toEqual({ owed: 73n, sent: 73n });
    expect(customerPayment("paid", { amount: 500n, session: toppedUp })).toEqual({ owed: 500n, sent: 500n });
    expect(customerPayment("expired", { amount: undefined, session: toppedUp })).toEqual({
      owed: 73n,
      sent: undefined,
    });
  });

  test("requires an amount without an open session", () => {
    for (const nothing of [null, session({ amount_missing: 0n })])
      expect(() => customerPayment("paid", { amount: undefined, session: nothing })).toThrow("amount is required");
  });

  test("sends an amount unchanged that is already less or more than the missing amount", () => {
    const sent = (outcome: "underpaid" | "overpaid", amount: bigint) =>
      customerPayment(outcome, { amount, session: session() }).sent;
    expect(sent("underpaid", 250_072n)).toBe(250_072n);
    expect(sent("underpaid", 1n)).toBe(1n);
    expect(sent("underpaid", 250_073n)).toBe(225_066n);
    expect(sent("overpaid", 250_074n)).toBe(250_074n);
    expect(sent("overpaid", 250_073n)).toBe(275_080n);
    expect(sent("overpaid", 100_000n)).toBe(110_000n);
  });
});

test("a session requested by its reference is owed its missing amount, or its full amount once it is closed", () => {
  expect(owedBy(session({ amount_missing: 73n }))).toBe(73n);
  expect(owedBy(session({ amount_missing: 0n }))).toBe(250_073n);
  expect(owedBy(session({ amount_missing: 73n, is_open: false }))).toBe(250_073n);
});

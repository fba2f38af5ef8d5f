import { PAYMENT_MAX_KOBO } from "@collect/money";
import fc from "fast-check";
import { expect, test } from "vitest";
import { intakeIdOf, isSameTransfer, reasonToQuarantine } from "./intake.ts";

const KEY = "k".repeat(32);
const parts = fc.record({
  bank: fc.string(),
  mode: fc.constantFrom("test" as const, "live" as const),
  bankTransferId: fc.string(),
});

test("an intake id depends on bank, mode and the bank's id alone, and never changes", () => {
  fc.assert(
    fc.property(parts, (transfer) => {
      const id = intakeIdOf(KEY, transfer);
      expect(id).toMatch(/^int_[1-9A-HJ-NP-Za-km-z]{22}$/);
      expect(intakeIdOf(KEY, { ...transfer })).toBe(id);
    }),
  );
  expect(intakeIdOf(KEY, { bank: "999", mode: "live", bankTransferId: "T1" })).toBe("int_NKXoeaujdsn5UMb65QeQ3Y");
});

test("two transfers have two ids, even if their concatenated fields are equal", () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other));
      expect(intakeIdOf(KEY, one)).not.toBe(intakeIdOf(KEY, other));
    }),
  );
});

test("an id cannot be derived without the key", () => {
  const transfer = { bank: "999", mode: "live" as const, bankTransferId: "T1" };
  expect(intakeIdOf("l".repeat(32), transfer)).not.toBe(intakeIdOf(KEY, transfer));
});

test("another amount, currency or account is another transfer; otherwise it is a repeat", () => {
  const known = { amount: 100n, currency: "NGN", accountNumber: "0000000017" };
  expect(isSameTransfer(known, { ...known })).toBe(true);
  expect(isSameTransfer(known, { ...known, amount: 101n })).toBe(false);
  expect(isSameTransfer(known, { ...known, currency: "USD" })).toBe(false);
  expect(isSameTransfer(known, { ...known, accountNumber: "0000000024" })).toBe(false);
});

test("credits and reversals in naira are accepted up to the limit; anything else is quarantined, with its reason", () => {
  const credit = { type: "credit", currency: "NGN", amount: PAYMENT_MAX_KOBO };
  expect(reasonToQuarantine(credit, "credit")).toBeUndefined();
  expect(reasonToQuarantine({ ...credit, amount: PAYMENT_MAX_KOBO + 1n }, "credit")).toBe(
    "an amount above ₦10,000,000,000.00",
  );
  expect(reasonToQuarantine({ ...credit, currency: "USD" }, "credit")).toBe("currency USD");
  expect(reasonToQuarantine({ ...credit, type: "chargeback" }, "credit")).toBe(
    "a report of type chargeback, which is not known",
  );
  expect(reasonToQuarantine({ ...credit, bankFee: 1n, bankVat: PAYMENT_MAX_KOBO }, "credit")).toBe(
    "bank charges above the amount",
  );
  expect(reasonToQuarantine({ ...credit, bankVat: -1n }, "credit")).toBe("a bank charge below zero");
  // Whether it is booked depends on its credit.
  const reversal = { ...credit, type: "reversal" };
  expect(reasonToQuarantine(reversal, "reversal")).toBeUndefined();
  expect(reasonToQuarantine({ ...reversal, currency: "USD" }, "reversal")).toBe("currency USD");
});

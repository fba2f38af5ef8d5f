import { expect, test } from "vitest";
import type { ExplainedItem } from "./groups.ts";
import { beyondCharges, canBeRefund, isRefund, refundOf } from "./refunds.ts";

const item = (key: string, amount: bigint, given: Partial<ExplainedItem> = {}): ExplainedItem => ({
  ...{ key, class: "bank_only", account: "1", amount, isSettled: false, by: null, explanation: undefined, ...given },
});
const charged = (amount: bigint) => new Map([["1", amount]]);

test("only money that reached an account, on a line in no match, can be a charge that the bank gave back", () => {
  expect(canBeRefund(item("line:1", 50n))).toBe(true);
  expect(canBeRefund(item("line:1", -50n))).toBe(false);
  expect(canBeRefund(item("opening:1", 50n))).toBe(false);
  expect(canBeRefund(item("match:1", 50n, { class: "different_amount" }))).toBe(false);
  expect([isRefund(item("line:1", 50n)), isRefund(refundOf(item("line:1", 50n)))]).toEqual([false, true]);
});

test("an account gets back up to what it was charged until then, the day itself included, and not more", () => {
  const day = [
    item("charges:9", -20n, { class: "charge" }),
    refundOf(item("line:1", 50n)),
    refundOf(item("line:2", 5n)),
  ];
  expect(beyondCharges(day, charged(35n))).toBeNull();
  expect(beyondCharges(day, charged(34n))).toBe(
    "Of account 1 0.55 would be charges that the bank gave back, and it was charged 0.54 until then.",
  );
  expect(beyondCharges([refundOf(item("line:1", 1n, { account: "2" }))], charged(100n))).toMatch(/^Of account 2/);
});

test("what the bank kept of a credit counts as charged, and what it showed twice counts less", () => {
  const kept = (charge: bigint) =>
    item("match:3", charge, {
      ...{ class: "different_amount", charge },
      explanation: { reason: "", explained_by: "", charge, is_own: false },
    });
  expect(beyondCharges([kept(-10n), refundOf(item("line:1", 10n))], charged(0n))).toBeNull();
  expect(beyondCharges([kept(10n), refundOf(item("line:1", 10n))], charged(19n))).not.toBeNull();
});

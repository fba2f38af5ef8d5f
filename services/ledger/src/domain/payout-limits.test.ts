import { describe, expect, test } from "vitest";
import { allowMore, NO_LIMITS, needsApproval, refusalOf, stricter } from "./payout-limits.ts";

const limits = { transferMax: 500n, dayMax: 1_000n, approvalAbove: 100n };

test("the stricter of two limits applies, each for itself", () => {
  expect(stricter(limits, { transferMax: 600n, dayMax: 900n, approvalAbove: null })).toEqual({
    ...limits,
    dayMax: 900n,
  });
  expect(stricter(NO_LIMITS, NO_LIMITS)).toEqual(NO_LIMITS);
});

test.each([
  [500n, 0n, undefined],
  [501n, 0n, "transfer_limit"],
  [500n, 500n, undefined],
  [500n, 501n, "day_limit"],
])("an order of %s after %s on the same day: %s", (amount, orderedToday, refusal) => {
  expect(refusalOf(amount, { limits, orderedToday })).toBe(refusal);
  expect(refusalOf(amount, { limits: NO_LIMITS, orderedToday })).toBeUndefined();
});

test("only an amount above the threshold needs approval", () => {
  expect([100n, 101n].map((amount) => needsApproval(amount, limits))).toEqual([false, true]);
  expect(needsApproval(10n ** 12n, NO_LIMITS)).toBe(false);
  expect(needsApproval(1n, { ...NO_LIMITS, approvalAbove: 0n })).toBe(true);
});

describe("a change of limits", () => {
  test.each([
    ["a higher one", { transferMax: 501n }],
    ["one that is lifted", { dayMax: null }],
    ["a higher threshold, although the others are lowered", { approvalAbove: 101n, transferMax: 1n, dayMax: 1n }],
  ])("allows more: %s", (_, change) => {
    expect(allowMore(limits, { ...limits, ...change })).toBe(true);
  });

  test.each([
    ["the same", {}],
    ["lower ones", { transferMax: 1n, dayMax: 0n, approvalAbove: 0n }],
  ])("allows no more: %s", (_, change) => {
    expect(allowMore(limits, { ...limits, ...change })).toBe(false);
    expect(allowMore(NO_LIMITS, { ...limits, ...change })).toBe(false);
  });
});

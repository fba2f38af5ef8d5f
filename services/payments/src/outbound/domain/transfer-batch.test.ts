import { describe, expect, test } from "vitest";
import { type Limits, needsApproval, refusalOfAll } from "./transfer-batch.ts";

const NONE: Limits = { transferMax: null, dayMax: null, approvalAbove: null, orderedToday: 0n };
const refusal = (limits: Partial<Limits>, settled = 1_000n) =>
  refusalOfAll({ total: 1_000n, largest: 600n }, { settled, limits: { ...NONE, ...limits } })?.code;

describe("all lines together", () => {
  test.each([
    ["the balance", {}, 999n, "insufficient_balance"],
    ["the day", { dayMax: 1_500n, orderedToday: 500n }, 1_000n, undefined],
    ["the day and a kobo", { dayMax: 1_500n, orderedToday: 501n }, 1_000n, "payout_limit_exceeded"],
    ["one transfer", { transferMax: 600n }, 1_000n, undefined],
    ["one transfer and a kobo", { transferMax: 599n }, 1_000n, "payout_limit_exceeded"],
  ])("are held against %s", (_case, limits, settled, code) => {
    expect(refusal({})).toBeUndefined();
    expect(refusal(limits, settled)).toBe(code);
  });

  test("need the second person that one transfer of their sum would need, with the other files of the day", () => {
    const limits = { ...NONE, approvalAbove: 1_000n };
    const needs = (total: bigint, today: bigint) => needsApproval(total, { today, limits });
    expect([needs(1_000n, 0n), needs(1_001n, 0n)]).toEqual([false, true]);
    expect([needs(400n, 600n), needs(400n, 601n)]).toEqual([false, true]);
    expect(needsApproval(1_001n, { today: 1_000n, limits: NONE })).toBe(false);
  });
});

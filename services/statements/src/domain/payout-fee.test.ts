import { expect, test } from "vitest";
import { payoutFeeIn } from "./payout-fee.ts";

const [BEFORE, DAY, AFTER] = ["2026-10-01", "2026-10-02", "2026-10-03"];
type Movement = Parameters<typeof payoutFeeIn>[0]["movements"][number];
const line = (amount: bigint, on = DAY) => ({ amount, on });
const movement = (amount: bigint, given: Partial<Movement> = {}): Movement => ({
  ...{ key: "trf_1", on: DAY, amount, isVoid: false, ...given },
});
const feeIn = (lines: ReturnType<typeof line>[], movements: Movement[]) => payoutFeeIn({ lines, movements }, DAY);

test("of payouts that left with the bank's fee in their line the fee is what the line is more, up to ₦100 for each", () => {
  expect(feeIn([line(-501_075n)], [movement(-500_000n)])).toBe(-1_075n);
  expect(feeIn([line(-510_000n)], [movement(-500_000n)])).toBe(-10_000n);
  expect(feeIn([line(-510_001n)], [movement(-500_000n)])).toBeNull();
  const two = [movement(-500_000n), movement(-300_000n, { key: "trf_2", on: BEFORE })];
  expect(feeIn([line(-820_000n)], two)).toBe(-20_000n);
  expect(feeIn([line(-820_001n)], two)).toBeNull();
});

test("a payout that left in full, or with less, has none", () => {
  expect(feeIn([line(-500_000n)], [movement(-500_000n)])).toBeNull();
  expect(feeIn([line(-499_000n)], [movement(-500_000n)])).toBeNull();
});

test("money that came, or was taken back, a payout that failed or is not booked, and a match that goes on have none", () => {
  expect(feeIn([line(490_000n)], [movement(500_000n)])).toBeNull();
  expect(feeIn([line(-501_000n), line(10n)], [movement(-500_000n)])).toBeNull();
  expect(feeIn([line(-501_000n)], [movement(-500_000n, { key: "int_1" })])).toBeNull();
  expect(feeIn([line(-501_000n)], [movement(-500_000n, { isVoid: true, on: null })])).toBeNull();
  expect(feeIn([line(-501_000n)], [movement(-500_000n, { on: null })])).toBeNull();
  expect(feeIn([line(-501_000n)], [movement(-500_000n, { on: AFTER })])).toBeNull();
  expect(feeIn([line(-501_000n, AFTER)], [movement(-500_000n)])).toBeNull();
  expect(feeIn([line(-501_000n)], [])).toBeNull();
});

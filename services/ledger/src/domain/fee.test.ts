import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_FEE_BASIS_POINTS, feeOn } from "./fee.ts";

test.each([
  [1_000_000n, 100, 10_000n],
  [49n, 100, 0n],
  [50n, 100, 1n],
  [149n, 100, 1n],
  [150n, 100, 2n],
  [1n, 10_000, 1n],
  [1_000_000n, 0, 0n],
])("%i kobo at %i basis points cost %i kobo, half rounded up", (amount, basisPoints, fee) => {
  expect(feeOn(amount, basisPoints)).toBe(fee);
});

const anAmount = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
const basisPoints = fc.integer({ min: 0, max: 10_000 });

test("a fee is never negative, never above the amount and never half a kobo from the exact share", () => {
  fc.assert(
    fc.property(anAmount, basisPoints, (amount, points) => {
      const fee = feeOn(amount, points);
      expect(fee >= 0n && fee <= amount).toBe(true);
      const twiceTheError = 2n * (fee * 10_000n - amount * BigInt(points));
      expect(twiceTheError > -10_000n && twiceTheError <= 10_000n).toBe(true);
    }),
  );
});

test("a larger amount never has a smaller fee", () => {
  fc.assert(
    fc.property(anAmount, anAmount, basisPoints, (amount, more, points) => {
      expect(feeOn(amount, points) <= feeOn(amount + more, points)).toBe(true);
    }),
  );
});

test("a merchant without a schedule pays one percent", () => {
  expect(feeOn(1_000_000n, DEFAULT_FEE_BASIS_POINTS)).toBe(10_000n);
});

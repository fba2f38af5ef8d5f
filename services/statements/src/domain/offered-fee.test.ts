import { expect, test } from "vitest";
import { feeMax } from "./offered-fee.ts";

test.each([
  ["what arrived, of a small payment", 5_000n, 8_000n, 5_000n],
  ["₦100 of up to ₦2,000", 99_463n, 190_000n, 10_000n],
  ["5 % above that", 950_000n, 1_000_000n, 50_000n],
  ["₦1,000 of a large one", 99_000_000n, 100_000_000n, 100_000n],
])("where no partner confirms it, the fee is at most %s", (_case, arrived, sent, most) =>
  expect(feeMax(arrived, sent)).toBe(most),
);

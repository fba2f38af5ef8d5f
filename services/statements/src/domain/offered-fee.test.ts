import { expect, test } from "vitest";
import { arrivedMin, feeMax } from "./offered-fee.ts";

test.each([
  ["what arrived, of a small payment", 5_000n, 8_000n, 5_000n],
  ["₦100 of up to ₦2,000", 99_463n, 190_000n, 10_000n],
  ["5 % above that", 950_000n, 1_000_000n, 50_000n],
  ["₦1,000 of a large one", 99_000_000n, 100_000_000n, 100_000n],
])("where no partner confirms it, the fee is at most %s", (_case, arrived, sent, most) =>
  expect(feeMax(arrived, sent)).toBe(most),
);

test.each([1n, 2n, 7n, 99n, 19_999n, 20_000n, 190_000n, 1_000_000n, 2_000_001n, 100_000_000n])(
  "of %s kobo no less arrives than the largest fee leaves",
  (sent) => {
    const least = arrivedMin(sent);
    expect(sent - least).toBeLessThanOrEqual(feeMax(least, sent));
    expect(sent - (least - 1n)).toBeGreaterThan(feeMax(least - 1n, sent));
  },
);

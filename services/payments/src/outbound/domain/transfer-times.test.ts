import { expect, test } from "vitest";
import { TRANSFER_TIMES, waitAfter } from "./transfer-times.ts";

test("waits double up to the longest, however many attempts there were", () => {
  const waits = [0, 1, 2, 6, 7, 5_000].map((attempts) => waitAfter(TRANSFER_TIMES.notification, attempts));
  expect(waits).toEqual([30_000, 60_000, 120_000, 1_920_000, 3_600_000, 3_600_000]);
});

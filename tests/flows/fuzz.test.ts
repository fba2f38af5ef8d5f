import { afterAll, expect, test } from "vitest";
import { fuzz } from "../fuzz/run.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

/** `npm run fuzz` sends as many as wanted, from any seed. */
const SEED = 12;

test("300 calls made from the document are answered as it says, and what is refused writes nothing", async () => {
  const report = await fuzz(stack, { calls: 300, seed: SEED, workers: 2 });
  expect(report.faults).toEqual([]);
  expect(report.sent).toBe(300);
  expect(report.refusalsCompared).toBeGreaterThan(50);
  expect(report.valid.succeeded).toBeGreaterThan(50);
});

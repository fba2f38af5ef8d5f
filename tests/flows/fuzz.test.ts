import { afterAll, expect, test } from "vitest";
import { rowReader } from "../fuzz/rows.ts";
import { fuzz } from "../fuzz/run.ts";
import { client } from "../stack/client.ts";
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

test("a row that a call wrote is noticed", async () => {
  const merchant = await stack.createMerchant({ webhook: null });
  const rowsOf = await rowReader(stack);
  const before = await rowsOf(merchant.id);
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  expect((await api.post("/payments", { amount: 2500 })).status).toBe(201);
  expect(await rowsOf(merchant.id)).not.toBe(before);
});

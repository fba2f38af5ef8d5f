import { generateClients } from "@collect/generated-clients";
import { afterAll, expect, test } from "vitest";
import { rowReader } from "../fuzz/rows.ts";
import { fuzz } from "../fuzz/run.ts";
import { client } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

/** The published document, as others' generators and calls made from it take it. */

const stack = await sharedStack();
const clients = await generateClients(stack.baseUrl);
afterAll(() => clients.remove());

test("the clients that @hey-api/openapi-ts and orval generate from the document compile strictly, with code that uses them", async () => {
  expect(await clients.compile()).toBe("");
});

test.each(["hey-api", "orval"] as const)(
  "the client of %s creates, simulates, lists and is refused as documented",
  async (generator) => {
    const merchant = await stack.createMerchant();
    const calls = clients.firstCalls(generator);
    expect(await calls(stack.baseUrl, merchant.keys.sk_test)).toEqual({
      isIssued: true,
      credited: true,
      accounts: [true],
      refusal: "validation_failed",
      fields: ["customer_reference"],
      collected: 2475.72,
    });
  },
);

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

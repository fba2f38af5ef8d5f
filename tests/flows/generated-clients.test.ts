import { generateClients } from "@collect/generated-clients";
import { afterAll, expect, test } from "vitest";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());
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

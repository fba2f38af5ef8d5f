import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { openShop, payoutsAt, proveCompleted } from "./shop.ts";

// A bank that does not answer is waited for.
const stack = await startStack({ env: { payments: { BANK_TIMEOUT_MS: "1000" } } });
afterAll(() => stack.stop());

const bank = client(`${stack.bankSimulatorUrl}/control`);

test.each(["timeout", "nonsense", "slow"] as const)(
  "when the bank's responses to payouts are %s, payouts are looked up and never sent again",
  async (behaviour) => {
    const shop = await openShop(stack);
    await bank.post("/behaviour", { operation: "payouts", behaviour, times: 5, delay_ms: 1_500 });
    const references = await Promise.all([0, 1, 2, 3, 4, 5].map(shop.send));
    await proveCompleted(stack, shop, references);
  },
);

test("payouts that the bank settles or fails later end with the bank's status", async () => {
  const shop = await openShop(stack);
  await bank.post("/payouts", { begin: "pending", times: 4 });
  const references = await Promise.all([0, 1, 2, 3].map(shop.send));
  await until("the bank has them", async () => {
    const known = new Set((await payoutsAt(stack)).map(({ id }) => id));
    return references.every((reference) => known.has(reference));
  });
  for (const [index, reference] of references.entries())
    await bank.post(`/payouts/${reference}`, { status: index % 2 === 0 ? "success" : "failed" });
  await proveCompleted(stack, shop, references);
});

test.each(["payments", "ledger", "webhooks"] as const)(
  "%s killed repeatedly while transfers are sent pays no transfer twice and leaves no reserve",
  async (name) => {
    const shop = await openShop(stack);
    const service = stack.service(name);
    let isOver = false;
    const killing = async () => {
      for (let times = 0; times < 4; times++) {
        await service.kill9();
        await service.restart();
      }
      isOver = true;
    };
    const references: string[] = [];
    const sending = async () => {
      while (!isOver && references.length < 200) references.push(await shop.send(references.length));
    };
    await Promise.all([killing(), sending()]);
    expect(references.length).toBeGreaterThan(0);
    await proveCompleted(stack, shop, references);
  },
  120_000,
);

test("a broker that loses everything while transfer events are published loses no event", async () => {
  const shop = await openShop(stack);
  await stack.service("webhooks").kill9();
  const references = await Promise.all([0, 1, 2].map(shop.send));
  await until("they have ended", async () => {
    const answers = await Promise.all(references.map((reference) => shop.api.get(`/transfers/${reference}`)));
    return answers.every(({ body }) => body.status === "success");
  });
  await stack.wipeNats();
  await stack.service("webhooks").restart();
  await proveCompleted(stack, shop, references);
});

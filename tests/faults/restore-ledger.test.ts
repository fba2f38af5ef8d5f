import { runSettlement } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { proveNumbers } from "./numbers.ts";
import { proveNothingLost } from "./proof.ts";
import { backUp, proveAudit, restoreUnderLoad, untilCaughtUp } from "./restore.ts";
import { beneficiary, openShop, payoutsAt, proveCompleted } from "./shop.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("a ledger restored under load recovers every collection and every payout without help", async () => {
  const [traffic, shop] = [await openTraffic(stack), await openShop(stack)];
  const references = await restoreUnderLoad(stack, "ledger", { traffic, shop });
  await proveNothingLost(stack, traffic);
  await proveCompleted(stack, shop, references);
  proveNumbers(shop.merchant);
  await proveAudit(stack);
}, 240_000);

test("a restored ledger does not pay out settled money a second time", async () => {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_live);
  const restore = await backUp(stack, "ledger");
  const { body: customer } = await api.post("/customer_accounts", { customer_reference: "c", customer_name: "Ada" });
  const account_number = String(customer.account_number);
  await reportTransfer(stack.bankDoor, aBankTransfer({ account_number, amount: 10_000 }));
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const order = { amount: 9_900, bank_code: "058", account_number: beneficiary(1), reference: "all-of-it" };
  const first = await until("the transfer is accepted", async () => {
    const answer = await api.post("/transfers", order);
    return answer.status === 201 && String(answer.body.reference);
  });
  await merchant.untilReceived("live", 2);

  await restore();
  await stack.service("ledger").restart();
  // Ordered immediately, before any recovery, and again after it.
  const again = () => api.post("/transfers", { ...order, reference: "a-second-time" });
  expect((await again()).status).toBeGreaterThanOrEqual(400);
  await untilCaughtUp(stack, "ledger");
  expect(await again()).toMatchObject({ status: 422, body: { code: "insufficient_balance" } });
  expect((await api.get("/balance")).body).toMatchObject({ settled: 0, collected: 0 });
  expect(await api.post("/transfers", order)).toMatchObject({ status: 200, body: { reference: first } });
  const sent = (await payoutsAt(stack)).filter((payout) => JSON.stringify(payout).includes(beneficiary(1)));
  expect(sent.filter(({ id }) => id === first)).toMatchObject([{ times_sent: 1 }]);
}, 120_000);

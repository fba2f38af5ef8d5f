import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";
import { proveNothingLost, redrive } from "./proof.ts";
import { backUp, proveAudit, proveNumbers, restoreUnderLoad, untilCaughtUp } from "./restore.ts";
import { openShop, proveEnded } from "./shop.ts";
import { openTraffic } from "./traffic.ts";

const stack = await startStack();
afterAll(() => stack.stop());

test("accounts restored under load learns again what it took in, and a bank's repeats are duplicates", async () => {
  const [traffic, shop] = [await openTraffic(stack), await openShop(stack)];
  const references = await restoreUnderLoad(stack, "accounts", { traffic, shop });
  await until("every event has its transfer again", async () => {
    const { rows } = await stack
      .database("webhooks")
      .query("select split_part(key, ':', 2) as id from events where kind = 'collection.success'");
    const ids = rows.map(({ id }) => id);
    const held = await stack
      .database("accounts")
      .query("select from inbound_transfers where intake_id = any($1)", [ids]);
    return held.rows.length === ids.length;
  });
  // What was answered but had not left the service is the bank's to send again, as after every restore of accounts.
  for (const transfer of traffic.answered.values())
    await until("the repeat is answered", async () => (await reportTransfer(stack.bankDoor, transfer)).status === 200);
  await redrive(stack, traffic);
  await proveNothingLost(stack, traffic);
  await proveEnded(stack, shop, references);
  for (const { merchant } of [shop, ...traffic.customers]) proveNumbers(merchant);
  await proveAudit(stack);
}, 240_000);

test("an account that was issued after the backup is issued again with the same number, and to nobody else", async () => {
  const merchant = await stack.createMerchant();
  const apis = [client(stack.baseUrl, merchant.keys.sk_test), client(stack.baseUrl, merchant.keys.sk_live)];
  const issue = async (api: ReturnType<typeof client>, n: number) => {
    const customer = { customer_reference: `cust_${n}`, customer_name: "Ada Obi" };
    return String((await api.post("/customer_accounts", customer)).body.account_number);
  };
  const restore = await backUp(stack, "accounts");
  const given = await Promise.all(apis.flatMap((api) => [issue(api, 1), issue(api, 2)]));
  await restore();
  await stack.service("accounts").restart();
  await untilCaughtUp(stack, "accounts");
  // In another order: the second customer is the first to ask.
  const again = [];
  for (const api of apis) again.push([await issue(api, 3), await issue(api, 2), await issue(api, 1)]);
  const [[otherTest, testTwo, testOne] = [], [otherLive, liveTwo, liveOne] = []] = again;
  expect([testOne, testTwo, liveOne, liveTwo]).toEqual(given);
  expect(given).not.toContain(otherTest);
  expect(given).not.toContain(otherLive);
}, 120_000);

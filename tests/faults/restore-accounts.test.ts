import { until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
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

test("an account that was issued after the backup is its customer's again, and nobody else's, asked for or not", async () => {
  const merchant = await stack.createMerchant();
  const [test, live] = [client(stack.baseUrl, merchant.keys.sk_test), client(stack.baseUrl, merchant.keys.sk_live)];
  const issue = async (api: typeof live, n: number) => {
    const customer = { customer_reference: `cust_${n}`, customer_name: "Ada Obi" };
    return String((await api.post("/customer_accounts", customer)).body.account_number);
  };
  const restore = await backUp(stack, "accounts");
  const given = [await issue(test, 1), await issue(test, 2), await issue(live, 1), await issue(live, 2)];
  await until("payments has copies", async () => {
    const { rows } = await stack
      .database("payments")
      .query("select copy->>'account_number' as number from account_copies");
    const kept = rows.map(({ number }) => number);
    return given.every((number) => kept.includes(number));
  });
  await restore();
  await stack.service("accounts").restart();
  await untilCaughtUp(stack, "accounts");
  // Money comes before anybody has asked for the account again.
  const transfer = aBankTransfer({ account_number: given[2] ?? "", amount: 100 });
  expect(await reportTransfer(stack.bankDoor, transfer)).toMatchObject({ status: 200, body: { status: "accepted" } });
  const [event] = await merchant.untilReceived("live", 1);
  expect(event?.body.data).toMatchObject({ customer_reference: "cust_1", account_number: given[2] });
  expect(given).not.toContain(await issue(test, 3));
  expect(given).not.toContain(await issue(live, 3));
  expect([await issue(test, 1), await issue(test, 2), await issue(live, 1), await issue(live, 2)]).toEqual(given);
}, 120_000);

test("an account of which nobody kept a copy is issued again with the same number", async () => {
  const merchant = await stack.createMerchant();
  const apis = [client(stack.baseUrl, merchant.keys.sk_test), client(stack.baseUrl, merchant.keys.sk_live)];
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi" };
  const issue = () =>
    Promise.all(apis.map(async (api) => (await api.post("/customer_accounts", customer)).body.account_number));
  const restore = await backUp(stack, "accounts");
  const given = await issue();
  await restore();
  await stack.database("payments").query("delete from account_copies");
  await stack.service("accounts").restart();
  await untilCaughtUp(stack, "accounts");
  expect(await issue()).toEqual(given);
}, 120_000);

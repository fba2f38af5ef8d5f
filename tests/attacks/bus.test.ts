import { nuban } from "@collect/bank";
import {
  admitOperatorOrder,
  approveTransfer,
  completeTransfer,
  createRestrictedKey,
  createSignInLink,
  createTransfer,
  deadLetterRequests,
  getBalance,
  getPayoutLimits,
  getWebhookEndpoint,
  type RequestContract,
  rollKey,
  runSettlement,
  setOwnPayoutLimits,
  setPayoutLimits,
  showMerchant,
  transferReceived,
} from "@collect/contracts";
import { createLogger } from "@collect/runtime";
import { aTransfer, connectAs, until } from "@collect/testing";
import { headers } from "nats";
import { afterAll, expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client } from "../stack/client.ts";
import { startStack } from "../stack.ts";

const stack = await startStack();
afterAll(() => stack.stop());

const log = createLogger("attacks", "silent");
/** The service that is nearest to strangers, in their hands. */
const checkout = await connectAs("checkout", { url: stack.natsUrl, log });
const dashboard = await connectAs("dashboard", { url: stack.natsUrl, log });
afterAll(() => Promise.all([checkout.close(), dashboard.close()]));

/** A merchant with one live customer account. */
async function aShop() {
  const merchant = await stack.createMerchant();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body } = await live.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const accountNumber = String(body.account_number);
  const pay = (amount: number) =>
    reportTransfer(stack.bankDoor, aBankTransfer({ account_number: accountNumber, amount }));
  const collected = async () => (await live.get("/balance")).body.collected;
  return { merchant, scope: { id: merchant.id, mode: "live" as const }, live, accountNumber, pay, collected };
}

/** Sends a request past our own client, which would not send it. Resolves with the broker's refusal. */
async function refusalOf({ subject }: RequestContract, input: object): Promise<string> {
  const status = checkout.nats.status();
  checkout.nats.publish(subject, JSON.stringify(input), { reply: "_INBOX_checkout.stolen" });
  for await (const event of status) if (event.type === "error") return event.error.message;
  throw new Error("the connection was closed");
}

test("a service cannot read a webhook's secret, make a sign-in link or roll a live key; those that may, can", async () => {
  const { merchant, scope } = await aShop();
  const email = "owner@example.com";
  const [rolled, read] = [
    { merchant_id: merchant.id, mode: "live" as const, kind: "secret" as const, overlap_hours: 0 },
    { merchant: { ...scope, name: merchant.name } },
  ];
  for (const [contract, input] of [
    [getWebhookEndpoint, read],
    [createSignInLink, { email }],
    [rollKey, rolled],
  ] as const)
    expect(await refusalOf(contract, input)).toBe(`Permissions Violation for Publish to "${contract.subject}"`);

  expect(await dashboard.request(getWebhookEndpoint, read)).toMatchObject({ secret: merchant.secrets.live });
  expect(await dashboard.request(rollKey, rolled)).toMatchObject({ key: expect.stringMatching(/^sk_live_/) });
});

test("a fact about money that accounts did not sign is not credited, although the broker's administrator publishes it", async () => {
  const { scope, accountNumber, pay, collected } = await aShop();
  const forged = aTransfer({ merchant: scope, accountNumber, amount: 123_456_789n });
  const onTheWire = JSON.stringify([forged], (_name, value) => (typeof value === "bigint" ? String(value) : value));
  await stack.bus.jetstream.publish(`${transferReceived.subject}.live.0`, onTheWire);
  await pay(100);

  const { ledger } = deadLetterRequests;
  const letter = await until("the forged fact is a dead letter", async () => {
    const letters = ledger && (await stack.bus.request(ledger.list, {})).dead_letters;
    return letters?.find(({ natural_key }) => natural_key.startsWith("forged:"));
  });
  expect(letter?.error).toContain("does not prove its publisher");
  await until("it is alarmed", () => stack.logs("ledger").includes('"alarm":"forged_fact"'));
  await until("the true transfer is credited", async () => (await collected()) === 99);
  expect(ledger && (await stack.bus.request(ledger.retry, {}))).toEqual({ retried: 1 });
  expect(await collected()).toBe(99);
});

test("a true fact that is published again, as often as one likes, is credited once", async () => {
  const { pay, collected, merchant } = await aShop();
  const seen: string[] = [];
  stack.bus.nats.subscribe(`${transferReceived.subject}.>`, {
    callback: (_error, message) => {
      if (message.string().includes(merchant.id)) seen.push(message.string());
    },
  });
  await stack.bus.flush();
  await pay(100);
  const fact = await until("the fact was published", () => seen[0]);
  for (let n = 0; n < 5; n++) await stack.bus.jetstream.publish(`${transferReceived.subject}.live.0`, fact);
  // Later facts are handled after them.
  await pay(10);
  await merchant.untilReceived("live", 2);
  expect(await collected()).toBe(99 + 9.9);
});

test("a foreign service cannot join a queue group to answer balances, and every balance is the ledger's", async () => {
  const { scope, pay, collected } = await aShop();
  await pay(200);
  await until("the transfer is credited", async () => (await collected()) === 198);
  const refused = Promise.withResolvers<string>();
  checkout.nats.subscribe(getBalance.subject, {
    queue: "ledger",
    callback: (error, message) => {
      if (error) refused.resolve(error.message);
      else message.respond(JSON.stringify({ data: { collected: 1_000_000 } }));
    },
  });
  expect(await refused.promise).toBe(
    `Permissions Violation for Subscription to "${getBalance.subject}" using queue "ledger"`,
  );
  const balances = await Promise.all(
    Array.from({ length: 10 }, () => dashboard.request(getBalance, { merchant: scope })),
  );
  for (const balance of balances) expect(balance.collected).toBe(198);
});

test("a request cannot make a service publish a fact by naming its subject as the place for the response", async () => {
  const { scope } = await aShop();
  const heard: string[] = [];
  // Of test mode, in which no other test publishes meanwhile.
  const fact = "ledger.collection.posted.v1.test.0";
  stack.bus.nats.subscribe(fact, { callback: (_error, { subject }) => void heard.push(subject) });
  await stack.bus.flush();
  const meta = headers();
  meta.set("Request-Id", "deputy");
  dashboard.nats.publish(getBalance.subject, JSON.stringify({ merchant: scope }), { reply: fact, headers: meta });
  // On the same connection, and therefore after it.
  expect(await dashboard.request(getBalance, { merchant: scope })).toMatchObject({ collected: 0 });
  await stack.bus.flush();
  expect(heard).toEqual([]);
  expect(stack.logs("ledger")).not.toContain('"request_id":"deputy"');
});

test("a payout that the bank has paid is not given back because the broker's administrator tells the ledger so", async () => {
  const { scope, live, pay } = await aShop();
  await pay(1_000);
  await until("the transfer is credited", async () => (await live.get("/balance")).body.collected === 990);
  await stack.bus.request(runSettlement, { merchant: scope });
  const { body } = await live.post("/transfers", {
    amount: 500,
    bank_code: "058",
    account_number: nuban({ bankCode: "058", serial: "010000001" }),
    reference: "payout-1",
  });
  const transferId = String(body.reference);
  await until(
    "the payout has succeeded",
    async () => (await live.get(`/transfers/${transferId}`)).body.status === "success",
  );
  const { settled } = (await live.get("/balance")).body;
  const outcome = { transfer_id: transferId, merchant: scope, amount: "50000", outcome: "reversed" };
  stack.bus.nats.publish(completeTransfer.subject, JSON.stringify(outcome), { reply: "_INBOX_payments.ledger.1" });
  await until("the ledger alarms", () => stack.logs("ledger").includes('"alarm":"forged_request"'));
  expect((await live.get("/balance")).body.settled).toBe(settled);
});

/** Sends a request as the broker's administrator, in a service's name and an owner's. */
function forge({ subject, to }: RequestContract, input: object, from: string) {
  const meta = headers();
  meta.set("Actor", JSON.stringify({ kind: "member", user_id: "usr_owner", email: "owner@example.com" }));
  stack.bus.nats.publish(subject, JSON.stringify(input), { reply: `_INBOX_${from}.${to}.1`, headers: meta });
}
const forgeriesIn = (service: "payments" | "gateway" | "ledger") =>
  stack.logs(service).split('"alarm":"forged_request"').length - 1;

test("the broker's administrator cannot order or approve a payout, make or roll a key, or lift a limit in a service's name", async () => {
  const { merchant, scope, live, pay } = await aShop();
  await pay(1_000);
  await until("the transfer is credited", async () => (await live.get("/balance")).body.collected === 990);
  await stack.bus.request(runSettlement, { merchant: scope });
  const before = { payments: forgeriesIn("payments"), gateway: forgeriesIn("gateway"), ledger: forgeriesIn("ledger") };
  const order = { amount: 500, bank_code: "058", account_number: nuban({ bankCode: "058", serial: "010000001" }) };
  const ofKeys = { merchant_id: merchant.id, mode: "live" as const };
  const roll = { ...ofKeys, kind: "secret" as const, overlap_hours: 0 };

  const named = { ...scope, name: merchant.name };
  for (const from of ["gateway", "dashboard"])
    forge(createTransfer, { merchant: named, ...order, reference: "forged-1" }, from);
  const approval = { merchant: scope, reference: "trf_1", approving_since: "2020-01-01T00:00:00Z" };
  forge(approveTransfer, approval, "dashboard");
  forge(rollKey, roll, "dashboard");
  forge(createRestrictedKey, { ...ofKeys, name: "Forged", scopes: ["transfers:write"] }, "dashboard");
  forge(
    setOwnPayoutLimits,
    { merchant_id: merchant.id, transfer_max: null, day_max: null, approval_above: null },
    "dashboard",
  );
  await until(
    "all are alarmed",
    () =>
      forgeriesIn("payments") === before.payments + 3 &&
      forgeriesIn("gateway") === before.gateway + 2 &&
      forgeriesIn("ledger") === before.ledger + 1,
  );
  expect([(await live.get("/balance")).body.settled, (await live.get("/transfers")).body.data]).toEqual([990, []]);
  const { keys } = await dashboard.request(showMerchant, { merchant_id: merchant.id });
  expect(keys.filter(({ name }) => name === "Forged")).toEqual([]);

  const sent = await live.post("/transfers", { ...order, reference: "salary-1" });
  expect(sent.status, sent.text).toBe(201);
  expect(await dashboard.request(rollKey, roll)).toMatchObject({ key: expect.stringMatching(/^sk_live_/) });
});

test("an operator's order with a made-up signature is not carried out, although the administrator says that it was admitted", async () => {
  const { scope, merchant } = await aShop();
  // Its refusal would be the first answer.
  await stack.service("gateway").kill9();
  const admitted = { admitted: true, operator: "ada", entry: { chain: merchant.id, seq: "1" } };
  const admitting = stack.bus.nats.subscribe(admitOperatorOrder.subject, {
    callback: (_error, message) => void message.respond(JSON.stringify({ data: admitted })),
  });
  await stack.bus.flush();
  const meta = headers();
  meta.set("Request-Id", "forged");
  meta.set("Operator-Key", `U${"A".repeat(55)}`);
  meta.set("Operator-Time", new Date().toISOString());
  meta.set("Operator-Signature", Buffer.alloc(64).toString("base64"));
  const limits = { merchant_id: merchant.id, transfer_max: 1, day_max: 1, approval_above: null };
  stack.bus.nats.publish(setPayoutLimits.subject, JSON.stringify(limits), {
    reply: "_INBOX_gateway.ledger.1",
    headers: meta,
  });
  await until("the response is alarmed", () => stack.logs("ledger").includes('"alarm":"forged_response"'));
  admitting.unsubscribe();
  await stack.service("gateway").restart();
  const { operator } = await dashboard.request(getPayoutLimits, { merchant_id: merchant.id });
  expect(operator.transfer_max).not.toBe(1);
  await stack.bus.request(setPayoutLimits, limits);
  expect((await dashboard.request(getPayoutLimits, { merchant_id: scope.id })).operator.transfer_max).toBe(1);
});

import { retireCustomerAccount } from "@collect/contracts";
import { expect, test } from "vitest";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { inOrder } from "../stack/merchant.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const ACCOUNT = "/customer_accounts/cust_42";

/** A merchant's server with one customer, in test mode. */
async function aShop(webhook?: null) {
  const merchant = await stack.createMerchant({ webhook });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const { body } = await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const simulate = (order: object) => api.post(`${ACCOUNT}/simulate_payment`, order);
  return { merchant, api, simulate, accountNumber: String(body.account_number) };
}

test.each([
  { outcome: "paid", requested: 1000.1, sent: 1000.1, fee: 10, net: 990.1 },
  { outcome: "underpaid", requested: 1000.1, sent: 900.09, fee: 9, net: 891.09 },
  { outcome: "overpaid", requested: 1000.1, sent: 1100.11, fee: 11, net: 1089.11 },
  { outcome: "paid", requested: 2500.73, sent: 2500.73, fee: 25.01, net: 2475.72 },
  { outcome: "paid", requested: 0.01, sent: 0.01, fee: 0, net: 0.01 },
])(
  "$outcome of $requested credits $sent less a fee of $fee, and the merchant gets a signed event",
  async (expected) => {
    const { merchant, api, simulate, accountNumber } = await aShop();
    const { outcome, requested, sent, fee, net } = expected;
    const { status, body } = await simulate({ outcome, amount: requested, payer_name: "Chidi Eze" });
    expect([status, body]).toEqual([
      200,
      {
        outcome,
        credited: true,
        reference: expect.stringMatching(/^col_/),
        amount: sent,
        account_number: accountNumber,
        message: expect.stringContaining("webhook was queued"),
        mode: "test",
      },
    ]);

    const [delivery] = await merchant.untilReceived("test", 1);
    expect(delivery?.body).toEqual({
      event: "collection.success",
      mode: "test",
      created_at: expect.stringMatching(TIME),
      data: {
        reference: body.reference,
        amount: sent,
        fee,
        net,
        currency: "NGN",
        rail: "bank",
        customer_reference: "cust_42",
        customer_name: "Ada Obi",
        account_number: accountNumber,
        payer_name: "Chidi Eze",
        paid_at: expect.stringMatching(TIME),
        payment_reference: null,
        merchant_reference: null,
        payer: { name: "Chidi Eze", account_number: null, bank_name: "Test Bank" },
        metadata: {},
      },
    });
    expect((await api.get("/balance")).body).toMatchObject({ mode: "test", collected: net, settled: 0 });
  },
);

test("expired credits nothing and sends no webhook: the sequence has no gap", async () => {
  const { merchant, api, simulate, accountNumber } = await aShop();
  await simulate({ outcome: "paid", amount: 100 });
  const expired = await simulate({ outcome: "expired", amount: 70 });
  expect([expired.status, expired.body]).toEqual([
    200,
    {
      outcome: "expired",
      credited: false,
      reference: expect.any(String),
      amount: 70,
      account_number: accountNumber,
      message: expect.stringContaining("no webhook"),
      mode: "test",
    },
  ]);
  const paid = await simulate({ outcome: "paid", amount: 200 });
  const deliveries = inOrder(await merchant.untilReceived("test", 2));
  expect(deliveries.map(({ headers }) => headers["x-service-sequence"])).toEqual(["1", "2"]);
  expect(deliveries[1]?.body).toMatchObject({ data: { reference: paid.body.reference } });
  expect((await api.get("/balance")).body).toMatchObject({ collected: 297 });
});

test("the balance is the sum of the net amounts, and its ledger_sequence increases with each credit", async () => {
  const { merchant, api, simulate } = await aShop();
  const empty = await api.get("/balance");
  expect([empty.status, empty.body]).toEqual([
    200,
    {
      mode: "test",
      currency: "NGN",
      collected: 0,
      settled: 0,
      as_of: expect.stringMatching(TIME),
      ledger_sequence: 0,
    },
  ]);
  await Promise.all([10.55, 20, 33.33, 4999.99].map((amount) => simulate({ outcome: "paid", amount })));
  const deliveries = await merchant.untilReceived("test", 4);
  const nets = deliveries.map(({ body }) => Math.round((body.data as { net: number }).net * 100));
  const { body } = await api.get("/balance");
  expect(body).toMatchObject({ collected: nets.reduce((sum, net) => sum + net) / 100, ledger_sequence: 4 });
});

test("without a webhook URL the money is credited, the event is recorded, and the response says so", async () => {
  const { merchant, api, simulate } = await aShop(null);
  const { status, body } = await simulate({ outcome: "paid", amount: 100 });
  expect([status, body]).toMatchObject([200, { credited: true, message: expect.stringContaining("No webhook URL") }]);
  expect((await api.get("/balance")).body).toMatchObject({ collected: 99 });
  const { rows } = await stack
    .database("webhooks")
    .query("select sequence from events where merchant_id = $1", [merchant.id]);
  expect(rows).toEqual([{ sequence: 1n }]);
});

test("the payer is the customer by default, and a form is equivalent to JSON", async () => {
  const { merchant, api } = await aShop();
  const form = { outcome: "paid", amount: "12.50" };
  const { status } = await api.send("POST", `${ACCOUNT}/simulate_payment`, { form });
  const [delivery] = await merchant.untilReceived("test", 1);
  expect([status, delivery?.body.data]).toMatchObject([200, { amount: 12.5, payer_name: "Ada Obi" }]);
});

test.each([
  ["no outcome", { amount: 100 }, ["outcome"]],
  ["an unknown outcome", { outcome: "failed", amount: 100 }, ["outcome"]],
  ["no amount and no open session", { outcome: "paid" }, ["amount"]],
  ["an amount of zero", { outcome: "paid", amount: 0 }, ["amount"]],
  ["three decimals", { outcome: "paid", amount: 1.001 }, ["amount"]],
  ["an amount too small to be underpaid", { outcome: "underpaid", amount: 0.01 }, ["amount"]],
])("a simulation with %s is refused, and nothing is credited", async (_what, order, params) => {
  const { api, simulate } = await aShop();
  expect(refusalIn(await simulate(order))).toEqual(refusal("validation_failed", { mode: "test", params }));
  expect((await api.get("/balance")).body).toMatchObject({ collected: 0, ledger_sequence: 0 });
});

test("a customer without an account cannot be paid", async () => {
  const { api } = await aShop();
  const answer = await api.post("/customer_accounts/unknown/simulate_payment", { outcome: "paid", amount: 100 });
  expect(refusalIn(answer)).toEqual(refusal("not_found", { mode: "test" }));
});

test("a retired account cannot be paid", async () => {
  const { merchant, simulate } = await aShop();
  const scope = { id: merchant.id, mode: "test" } as const;
  await stack.bus.request(retireCustomerAccount, { merchant: scope, customer_reference: "cust_42" });
  const refused = refusalIn(await simulate({ outcome: "paid", amount: 100 }));
  expect(refused).toEqual(refusal("account_retired", { mode: "test" }));
});

test("a live key cannot simulate, even for an existing account", async () => {
  const { merchant } = await aShop();
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  await live.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const answer = await live.post(`${ACCOUNT}/simulate_payment`, { outcome: "paid", amount: 100 });
  expect(refusalIn(answer)).toEqual(refusal("test_key_required", { mode: "live" }));
  expect((await live.get("/balance")).body).toMatchObject({ mode: "live", collected: 0 });
});

test("a simulation that times out is answered with 503, and credited once the ledger is back", async () => {
  const { merchant, api, simulate } = await aShop();
  await stack.service("ledger").kill9();
  const answer = await simulate({ outcome: "paid", amount: 100 });
  expect(refusalIn(answer)).toEqual(refusal("service_unavailable", { mode: "test" }));
  expect(answer.body.detail).toContain("will be credited");
  await stack.service("ledger").restart();
  const [delivery] = await merchant.untilReceived("test", 1);
  expect(delivery?.body.data).toMatchObject({ amount: 100, net: 99 });
  expect((await api.get("/balance")).body).toMatchObject({ collected: 99 });
});

import { expect, test } from "vitest";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

async function aShop() {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const open = async (order: object) => (await api.post("/payments", order)).body;
  const status = async (session: Record<string, unknown>) =>
    (await api.get(`/payments/${session.reference}`)).body.status;
  const simulate = (order: object) => api.post("/customer_accounts/cust_42/simulate_payment", order);
  const sandbox = (order: object) => api.post("/sandbox/pay", order);
  return { merchant, api, open, status, simulate, sandbox };
}
const CUSTOMER = { customer_reference: "cust_42", customer_name: "Ada Obi" };
const times = (amount: unknown, percent: number) => Math.round(Number(amount) * percent) / 100;

test.each([
  { outcome: "paid", percent: 100, status: "paid", credited: true },
  { outcome: "underpaid", percent: 90, status: "underpaid", credited: true },
  { outcome: "overpaid", percent: 110, status: "overpaid", credited: true },
  { outcome: "expired", percent: 100, status: "expired", credited: false },
])("simulating $outcome without an amount moves the newest open session to $status", async (expected) => {
  const { open, status, simulate } = await aShop();
  await open({ amount: 70, ...CUSTOMER });
  const session = await open({ amount: 500, ...CUSTOMER });
  const { body } = await simulate({ outcome: expected.outcome });
  expect(body).toMatchObject({
    outcome: expected.outcome,
    credited: expected.credited,
    reference: session.reference,
    amount: times(session.amount, expected.percent),
    account_number: session.account_number,
  });
  expect(await status(session)).toBe(expected.status);
});

test("expired closes the session that can still expire, even if a newer one is underpaid", async () => {
  const { open, status, simulate } = await aShop();
  const waiting = await open({ amount: 70, ...CUSTOMER });
  const underpaid = await open({ amount: 500, ...CUSTOMER });
  await simulate({ outcome: "underpaid" });
  expect((await simulate({ outcome: "expired" })).body).toMatchObject({ reference: waiting.reference });
  expect([await status(waiting), await status(underpaid)]).toEqual(["expired", "underpaid"]);
});

test("an amount below or above the session's is sent unchanged", async () => {
  const { open, status, simulate } = await aShop();
  const first = await open({ amount: 500, ...CUSTOMER });
  expect((await simulate({ outcome: "underpaid", amount: 499 })).body).toMatchObject({ amount: 499 });
  expect(await status(first)).toBe("underpaid");
  const second = await open({ amount: 500, ...CUSTOMER });
  expect((await simulate({ outcome: "overpaid", amount: 900 })).body).toMatchObject({ amount: 900 });
  expect(await status(second)).toBe("overpaid");
});

test.each([
  { outcome: "paid", percent: 100, status: "paid", credited: true },
  { outcome: "underpaid", percent: 90, status: "pending", credited: true },
  { outcome: "overpaid", percent: 110, status: "pending", credited: true },
  { outcome: "expired", percent: 100, status: "expired", credited: false },
])("the sandbox simulates $outcome on a collection account: the session is $status", async (expected) => {
  const { api, open, status, sandbox } = await aShop();
  const session = await open({ amount: 500 });
  const { status: http, body } = await sandbox({ outcome: expected.outcome, payment_reference: session.reference });
  expect([http, body]).toMatchObject([
    200,
    {
      outcome: expected.outcome,
      credited: expected.credited,
      amount: times(session.amount, expected.percent),
      account_number: session.account_number,
      mode: "test",
    },
  ]);
  expect(await status(session)).toBe(expected.status);
  expect(Number((await api.get("/balance")).body.collected) > 0).toBe(expected.credited);
});

test("with an amount the sandbox pays the newest open session of exactly that amount", async () => {
  const { open, status, sandbox } = await aShop();
  const session = await open({ amount: 500 });
  expect((await sandbox({ outcome: "paid", amount: session.amount })).body).toMatchObject({
    reference: session.reference,
    account_number: session.account_number,
  });
  expect(await status(session)).toBe("paid");
});

test("without a session the sandbox pays into the first collection account, which is created if needed", async () => {
  const { merchant, sandbox } = await aShop();
  const { status, body } = await sandbox({ outcome: "paid", amount: 250, amount_sent: 200, payer_name: "Bola Ade" });
  expect([status, body]).toMatchObject([
    200,
    { credited: true, amount: 200, reference: expect.stringMatching(/^col_/) },
  ]);
  const [delivery] = await merchant.untilReceived("test", 1);
  expect(delivery?.body.data).toMatchObject({
    amount: 200,
    account_number: body.account_number,
    payer_name: "Bola Ade",
    customer_reference: null,
    customer_name: null,
    payment_reference: null,
  });
});

test.each([
  ["neither amount nor payment_reference", { outcome: "paid" }],
  ["both", { outcome: "paid", amount: 5, payment_reference: "pay_1" }],
  ["no outcome", { amount: 5 }],
  ["an amount of zero", { outcome: "paid", amount: 0 }],
])("the sandbox refuses %s", async (_what, order) => {
  const { api, sandbox } = await aShop();
  expect(await sandbox(order)).toMatchObject({ status: 400, body: { code: "validation_failed", mode: "test" } });
  expect((await api.get("/balance")).body).toMatchObject({ ledger_sequence: 0 });
});

test("the sandbox pays only the merchant's own sessions, and refuses live keys", async () => {
  const [mine, other] = [await aShop(), await aShop()];
  const theirs = await other.open({ amount: 500 });
  const foreign = await mine.sandbox({ outcome: "paid", payment_reference: theirs.reference });
  expect(refusalIn(foreign)).toEqual(refusal("not_found", { mode: "test", params: ["payment_reference"] }));
  expect(await other.status(theirs)).toBe("pending");
  const live = client(stack.baseUrl, mine.merchant.keys.sk_live);
  const answer = await live.post("/sandbox/pay", { outcome: "paid", amount: 5 });
  expect(refusalIn(answer)).toEqual(refusal("test_key_required", { mode: "live" }));
});

import { nuban } from "@collect/bank";
import { runSettlement, type Transfer } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { aBankTransfer, reportTransfer } from "../stack/bank.ts";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
/** An account of the test bank, whose last serial digit determines the outcome. */
const scripted = (digit: number, serial = 12_345_670) =>
  nuban({ bankCode: "000", serial: String(serial + digit).padStart(9, "0") });
const [SUCCESS, FAILED, LATE_SUCCESS, LATE_FAILURE, REVERSED, UNRESOLVABLE] = [1, 2, 3, 4, 5, 6];

/** A test merchant with this settled balance. */
async function aShop({ settled = 990 } = {}) {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  if (settled > 0) {
    await api.post("/sandbox/pay", { outcome: "paid", amount: Math.round((settled / 0.99) * 100) / 100 });
    await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "test" } });
    expect((await api.get("/balance")).body).toMatchObject({ collected: 0, settled });
  }
  const send = (order: object) => api.post("/transfers", { bank_code: "000", ...order });
  const ended = (reference: unknown) =>
    until(`${reference} completes`, async () => {
      const { body } = await api.get(`/transfers/${reference}`);
      return body.status !== "pending" && (body as unknown as Transfer);
    });
  const settledNow = async () => (await api.get("/balance")).body.settled;
  const events = (kind: string) =>
    merchant.received("test").filter(({ headers }) => headers["x-service-event"] === kind);
  return { merchant, api, send, ended, settledNow, events };
}

test("a transfer reserves its amount, is sent once, and notifies its success", async () => {
  const shop = await aShop();
  const order = { amount: 100.5, account_number: scripted(SUCCESS ?? 1), reference: "payout-1", narration: "Rent" };
  const { status, body } = await shop.send(order);
  expect([status, body]).toEqual([
    201,
    {
      reference: expect.stringMatching(/^trf_/),
      merchant_reference: "payout-1",
      status: "pending",
      amount: 100.5,
      fee: 0,
      currency: "NGN",
      bank_code: "000",
      bank_name: "Test Bank",
      account_number: order.account_number,
      account_name: expect.any(String),
      narration: "Rent",
      failure_code: null,
      failure_reason: null,
      metadata: {},
      mode: "test",
      created_at: expect.stringMatching(TIME),
      completed_at: null,
    },
  ]);
  const completed = await shop.ended(body.reference);
  expect(completed).toEqual({ ...body, status: "success", completed_at: expect.stringMatching(TIME) });
  expect(await shop.settledNow()).toBe(889.5);
  const [delivery] = await until(
    "the event is delivered",
    () => shop.events("transfer.success").length > 0 && shop.events("transfer.success"),
  );
  expect(delivery?.body).toMatchObject({ event: "transfer.success", mode: "test", data: completed });
});

test.each([
  { digit: FAILED, status: "failed", settled: 990, kinds: ["transfer.failed"] },
  { digit: LATE_SUCCESS, status: "success", settled: 890, kinds: ["transfer.success"] },
  { digit: LATE_FAILURE, status: "failed", settled: 990, kinds: ["transfer.failed"] },
  { digit: REVERSED, status: "reversed", settled: 990, kinds: ["transfer.success", "transfer.reversed"] },
])(
  "the test bank's script $digit ends as $status, with a settled balance of $settled",
  async ({ digit = 0, ...expected }) => {
    const shop = await aShop();
    const { body } = await shop.send({ amount: 100, account_number: scripted(digit), reference: "payout-1" });
    await until(`it is ${expected.status}`, async () => (await shop.ended(body.reference)).status === expected.status);
    expect(await shop.settledNow()).toBe(expected.settled);
    for (const kind of expected.kinds)
      await until(`${kind} is delivered`, () => shop.events(kind).length === 1 && shop.events(kind)[0]);
    expect(shop.events("transfer.success").length + shop.events("transfer.failed").length).toBe(1);
  },
);

test("a repeated reference returns the same transfer; with other values it is refused", async () => {
  const shop = await aShop();
  const order = { amount: 100, account_number: scripted(1), reference: "payout-1" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.send(order)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1);
  await shop.ended(answers[0]?.body.reference);
  expect(await shop.settledNow()).toBe(890);
  const other = refusalIn(await shop.send({ ...order, amount: 101 }));
  expect(other).toEqual(refusal("reference_conflict", { mode: "test" }));
});

test("more than the settled balance is refused, and the same reference can be retried once the balance suffices", async () => {
  const shop = await aShop({ settled: 0 });
  const order = { amount: 50, account_number: scripted(1), reference: "payout-1" };
  expect(refusalIn(await shop.send(order))).toEqual(refusal("insufficient_balance", { mode: "test" }));
  expect((await shop.api.get("/transfers")).body).toMatchObject({ data: [] });
  await shop.api.post("/sandbox/pay", { outcome: "paid", amount: 100 });
  await stack.bus.request(runSettlement, { merchant: { id: shop.merchant.id, mode: "test" } });
  expect((await shop.send(order)).status).toBe(201);
});

test("of ten concurrent transfers of a third of the settled balance, three are sent and seven are refused", async () => {
  const shop = await aShop({ settled: 990 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => shop.send({ amount: 330, account_number: scripted(1), reference: `p${n}` })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, ...Array(7).fill(422)]);
  expect(await shop.settledNow()).toBe(0);
});

test("an unknown account is not resolved, and nothing is sent to it", async () => {
  const shop = await aShop();
  const resolve = (account: object) => shop.api.post("/transfers/resolve", account);
  const known = await resolve({ bank_code: "000", account_number: scripted(1) });
  expect([known.status, known.body]).toEqual([
    200,
    {
      bank_code: "000",
      bank_name: "Test Bank",
      account_number: scripted(1),
      account_name: expect.any(String),
      mode: "test",
    },
  ]);
  const wrongDigit = String((BigInt(scripted(1)) + 1n) % 10n ** 10n).padStart(10, "0");
  for (const account of [
    { bank_code: "000", account_number: scripted(UNRESOLVABLE ?? 6) },
    { bank_code: "000", account_number: wrongDigit },
    { bank_code: "987", account_number: scripted(1) },
  ]) {
    expect(refusalIn(await resolve(account))).toEqual(refusal("account_unresolved", { mode: "test" }));
    const sent = refusalIn(await shop.send({ amount: 10, reference: "payout-1", ...account }));
    expect(sent).toEqual(refusal("account_unresolved", { mode: "test" }));
  }
  expect((await shop.api.get("/transfers")).body).toMatchObject({ data: [] });
});

test("banks are listed with their codes, in test mode the test bank first", async () => {
  const { merchant, api } = await aShop({ settled: 0 });
  const test = await api.get("/banks");
  const live = await client(stack.baseUrl, merchant.keys.sk_live).get("/banks");
  const [first, ...rest] = test.body.data as { code: string; name: string }[];
  expect([test.body.mode, first]).toMatchObject(["test", { code: "000", name: "Test Bank" }]);
  expect(live.body).toEqual({ data: rest, mode: "live" });
  expect(rest).toContainEqual({ code: "058", name: expect.stringMatching(/Guaranty|GTB/i), type: expect.any(String) });
});

test("transfers are listed newest first, filtered by status, and found only by our reference in their mode", async () => {
  const shop = await aShop();
  for (const [n, digit] of [1, 2, 1].entries()) {
    const { body } = await shop.send({ amount: 10, account_number: scripted(digit), reference: `p${n}` });
    await shop.ended(body.reference);
  }
  const listed = async (query: string) => {
    const { body } = await shop.api.get(`/transfers${query}`);
    const rows = body.data as { merchant_reference: string }[];
    return { ...body, next: body.next, data: rows.map(({ merchant_reference }) => merchant_reference).join() };
  };
  const all = { data: "p2,p1,p0", limit: 20, offset: 0, has_more: false, next: null, mode: "test" };
  expect(await listed("")).toEqual(all);
  const second = await listed("?limit=1&offset=1");
  expect(second).toMatchObject({ data: "p1", limit: 1, offset: 1, has_more: true });
  expect(await listed(`?after=${second.next}`)).toMatchObject({ data: "p0", has_more: false });
  expect(await listed("?status=failed")).toMatchObject({ data: "p1" });
  expect(await listed("?reference=p1")).toMatchObject({ data: "p1" });
  expect(await listed("?reference=p3")).toMatchObject({ data: "" });
  const other = await aShop({ settled: 0 });
  const { body } = await shop.api.get("/transfers?limit=1");
  const [{ reference }] = body.data as [{ reference: string }];
  const texts = new Set<string>();
  for (const path of [reference, "trf_1111111111111111111111", "p0", "%zz"]) {
    const answer = await other.api.get(`/transfers/${path}`, { "x-request-id": "one" });
    expect(refusalIn(answer)).toEqual(refusal("not_found", { mode: "test" }));
    texts.add(answer.text);
  }
  expect(texts.size).toBe(1);
});

test.each([
  ["no amount", { amount: undefined }, ["amount"]],
  ["an amount of zero", { amount: 0 }, ["amount"]],
  ["no reference", { reference: undefined }, ["reference"]],
  ["an account number of nine digits", { account_number: "123456789" }, ["account_number"]],
  ["a bank code of letters", { bank_code: "GTB" }, ["bank_code"]],
  ["a narration of 101", { narration: "x".repeat(101) }, ["narration"]],
])("a transfer with %s is refused", async (_what, wrong, params) => {
  const { send } = await aShop({ settled: 0 });
  const order = { amount: 10, account_number: scripted(1), reference: "payout-1", ...wrong };
  expect(refusalIn(await send(order))).toEqual(refusal("validation_failed", { mode: "test", params }));
});

test("in live mode the partner bank resolves accounts and pays collected money out", async () => {
  const { merchant } = await aShop({ settled: 0 });
  const live = client(stack.baseUrl, merchant.keys.sk_live);
  const { body: session } = await live.post("/payments", { amount: 1000 });
  const transfer = aBankTransfer({ account_number: String(session.account_number), amount: Number(session.amount) });
  await reportTransfer(stack.bankDoor, transfer);
  await merchant.untilReceived("live", 1);
  await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "live" } });
  const account_number = nuban({ bankCode: "058", serial: "012345678" });
  const { status, body } = await live.post("/transfers", {
    amount: 500,
    bank_code: "058",
    account_number,
    reference: "p",
  });
  expect([status, body]).toMatchObject([201, { mode: "live", account_name: expect.any(String) }]);
  const completed = await until("it is paid", async () => {
    const { body: transfer } = await live.get(`/transfers/${body.reference}`);
    return transfer.status === "success" && transfer;
  });
  expect(completed).toMatchObject({ amount: 500, fee: 0 });
  await merchant.untilReceived("live", 2);
});

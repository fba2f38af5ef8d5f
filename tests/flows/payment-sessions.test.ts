import { retireCustomerAccount, setAmountLimit } from "@collect/contracts";
import { expect, test } from "vitest";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const REFERENCE = /^pay_[1-9A-HJ-NP-Za-km-z]{22}$/;

async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const { sk_test, sk_live } = merchant.keys;
  return { merchant, api: client(stack.baseUrl, sk_test), live: client(stack.baseUrl, sk_live) };
}
const kobo = (naira: unknown) => Math.round(Number(naira) * 100);

test("a session requests the amount plus a kobo suffix, and returns all fields of the merchant API", async () => {
  const { api } = await aShop();
  const { status, body } = await api.post("/payments", {
    amount: 5000,
    reference: "order-1",
    description: "Two tickets",
  });
  expect([status, body]).toEqual([
    201,
    {
      reference: expect.stringMatching(REFERENCE),
      merchant_reference: "order-1",
      status: "pending",
      amount: expect.any(Number),
      amount_requested: 5000,
      amount_received: 0,
      currency: "NGN",
      account_number: expect.stringMatching(/^\d{10}$/),
      account_name: "Ada Stores",
      bank_name: "Test Bank",
      checkout_url: `${stack.checkoutUrl}/pay/${body.reference}`,
      collects: ["bank_transfer"],
      customer_reference: null,
      customer_name: null,
      description: "Two tickets",
      redirect_url: null,
      collections: [],
      details_required: true,
      opened_by: "secret_key",
      payment_link: null,
      expires_at: expect.stringMatching(TIME),
      created_at: expect.stringMatching(TIME),
      paid_at: null,
      metadata: {},
      mode: "test",
    },
  ]);
  const suffix = kobo(body.amount) - 500_000;
  expect(suffix).toBeGreaterThanOrEqual(1);
  expect(suffix).toBeLessThanOrEqual(99);
  expect(Date.parse(String(body.expires_at)) - Date.parse(String(body.created_at))).toBe(30 * 60_000);
  expect((await api.get(`/payments/${body.reference}`)).body).toEqual(body);
});

test("a repeated reference returns the same session with 200, whatever its other fields, even above the limit", async () => {
  const { api } = await aShop();
  const first = await api.post("/payments", { amount: 100.5, reference: "order-1" });
  for (const amount of [100.5, 7, 90_000_000_000]) {
    const again = await api.post("/payments", { amount, reference: "order-1", customer_name: "Another Name" });
    expect([again.status, again.text]).toEqual([200, first.text]);
  }
  for (const rest of [{}, { amount: "a lot" }, { amount: 0, customer_reference: "a b", description: 7 }])
    expect(await api.post("/payments", { ...rest, reference: "order-1" })).toMatchObject({
      status: 200,
      body: first.body,
    });
  expect((await api.post("/payments", { reference: "order-2" })).status).toBe(400);
  const other = await api.post("/payments", { amount: 100.5, reference: "ORDER-1" });
  expect([other.status, other.body.reference === first.body.reference]).toEqual([201, false]);
});

test("100 concurrent calls with one reference create one session", async () => {
  const { api } = await aShop();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => api.post("/payments", { amount: 2500, reference: "order-1" })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(99);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test("200 concurrent sessions of one price get 200 distinct pairs of account and amount", async () => {
  const { api } = await aShop();
  const answers = await Promise.all(Array.from({ length: 200 }, () => api.post("/payments", { amount: 1000 })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => `${body.account_number} ${body.amount}`)).size).toBe(200);
  const perAccount = Map.groupBy(answers, ({ body }) => body.account_number);
  expect([...perAccount.values()].map((held) => held.length).toSorted((a, b) => b - a)).toEqual([99, 99, 2]);
});

test("a form is equivalent to JSON, and unknown fields are ignored", async () => {
  const { api } = await aShop();
  const form = { amount: "12.50", reference: "777", mode: "live", opened_by: "public_key", status: "paid" };
  const { status, body } = await api.send("POST", "/payments", { form });
  expect([status, body]).toMatchObject([
    201,
    { amount_requested: 12.5, merchant_reference: "777", mode: "test", opened_by: "secret_key", status: "pending" },
  ]);
});

test("with a customer_reference the payer sees that customer's permanent account, which is issued if needed", async () => {
  const { api } = await aShop();
  const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };
  const first = await api.post("/payments", { amount: 100, ...customer });
  expect(first.body).toMatchObject({ ...customer, account_name: "Ada Stores / Ada Obi", details_required: false });
  const account = await api.get("/customer_accounts/cust_42");
  expect(account.body.account_number).toBe(first.body.account_number);
  const second = await api.post("/payments", { amount: 100, customer_reference: "cust_42" });
  expect(second.body).toMatchObject({ account_number: first.body.account_number, customer_name: "Ada Obi" });
  expect(second.body.amount).not.toBe(first.body.amount);
});

test("with a customer_name the payer need not submit details", async () => {
  const { api } = await aShop();
  const { body } = await api.post("/payments", { amount: 100, customer_name: "Ada Obi" });
  expect(body).toMatchObject({ details_required: false, customer_reference: null, customer_name: "Ada Obi" });
});

test("a new customer_reference needs a name, and a refused call creates no account", async () => {
  const { api } = await aShop();
  const nameless = await api.post("/payments", { amount: 100, customer_reference: "cust_42" });
  expect(refusalIn(nameless)).toEqual(refusal("validation_failed", { mode: "test", params: ["customer_name"] }));
  const tooMuch = { amount: 5_000_000.01, customer_reference: "cust_42", customer_name: "Ada Obi" };
  expect(refusalIn(await api.post("/payments", tooMuch))).toEqual(refusal("amount_over_limit", { mode: "test" }));
  expect((await api.get("/customer_accounts?status=all")).body.data).toEqual([]);
});

test("a session cannot be created for a retired account", async () => {
  const { merchant, api } = await aShop();
  await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  const scope = { id: merchant.id, mode: "test" } as const;
  await stack.bus.request(retireCustomerAccount, { merchant: scope, customer_reference: "cust_42" });
  const answer = await api.post("/payments", { amount: 100, customer_reference: "cust_42" });
  expect(refusalIn(answer)).toEqual(refusal("account_retired", { mode: "test" }));
});

test("amounts above the limit are refused, however large, and the operator can set another limit", async () => {
  const { merchant, api } = await aShop();
  expect((await api.post("/payments", { amount: 5_000_000 })).status).toBe(201);
  for (const amount of [5_000_000.01, 1e15, 1e300])
    expect(refusalIn(await api.post("/payments", { amount }))).toEqual(refusal("amount_over_limit", { mode: "test" }));
  await stack.bus.request(setAmountLimit, { merchant_id: merchant.id, amount: 1000 });
  expect(refusalIn(await api.post("/payments", { amount: 1000.01 }))).toEqual(
    refusal("amount_over_limit", { mode: "test" }),
  );
  expect((await api.post("/payments", { amount: 1000 })).status).toBe(201);
});

test.each([
  ["https is stored unchanged", "https://shop.example/done?a=1&b=%20#x", "https://shop.example/done?a=1&b=%20#x"],
  ["plain http is dropped", "http://shop.example/done", null],
  ["a script is dropped", "javascript:alert(1)", null],
  ["an invalid URL is dropped", "shop.example/done", null],
])("of redirect_url: %s", async (_what, redirect_url, kept) => {
  const { api } = await aShop();
  const { status, body } = await api.post("/payments", { amount: 100, redirect_url });
  expect([status, body.redirect_url]).toEqual([201, kept]);
});

test.each([
  ["no amount", {}, ["amount"]],
  ["an amount of zero", { amount: 0 }, ["amount"]],
  ["a negative amount", { amount: -1 }, ["amount"]],
  ["three decimals", { amount: 1.001 }, ["amount"]],
  ["an amount as a string", { amount: "ten" }, ["amount"]],
  ["an empty reference", { amount: 1, reference: "" }, ["reference"]],
  ["a reference of 101", { amount: 1, reference: "x".repeat(101) }, ["reference"]],
  ["a description of 501", { amount: 1, description: "x".repeat(501) }, ["description"]],
  ["a redirect_url of 2,001", { amount: 1, redirect_url: `https://a.example/${"x".repeat(2000)}` }, ["redirect_url"]],
  ["a malformed customer_reference", { amount: 1, customer_reference: "a b" }, ["customer_reference"]],
])("a session with %s is refused, and the invalid fields are named", async (_what, order, params) => {
  const { merchant, api } = await aShop();
  const refused = refusalIn(await api.post("/payments", order));
  expect(refused).toEqual(refusal("validation_failed", { mode: "test", params }));
  const { rows } = await stack
    .database("payments")
    .query("select 1 from sessions where merchant_id = $1", [merchant.id]);
  expect(rows).toEqual([]);
});

test("an unknown reference, another merchant's, another mode's and a malformed one get the same 404", async () => {
  const [mine, other] = [await aShop(), await aShop()];
  const theirs = await other.api.post("/payments", { amount: 100 });
  const lively = await mine.live.post("/payments", { amount: 100 });
  expect([theirs.status, lively.status]).toEqual([201, 201]);
  const headers = { "x-request-id": "one-of-mine" };
  const texts = new Set<string>();
  for (const reference of [
    "pay_1111111111111111111111",
    theirs.body.reference,
    lively.body.reference,
    "a%20b",
    "%zz",
  ]) {
    const answer = await mine.api.get(`/payments/${reference}`, headers);
    expect(refusalIn(answer)).toEqual(refusal("not_found", { mode: "test" }));
    texts.add(answer.text);
  }
  expect(texts.size).toBe(1);
});

test("crypto payments are authenticated and validated, then refused", async () => {
  const { api } = await aShop();
  const refused = refusalIn(await api.post("/payments/crypto", { amount: 100 }));
  expect(refused).toEqual(refusal("crypto_unavailable", { mode: "test" }));
  const invalid = refusalIn(await api.post("/payments/crypto", { amount: "x" }));
  expect(invalid).toEqual(refusal("validation_failed", { mode: "test", params: ["amount"] }));
  const other = refusalIn(await client(stack.baseUrl).post("/payments/crypto", { amount: 100 }));
  expect(other).toEqual(refusal("invalid_api_key"));
});

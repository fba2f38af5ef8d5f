import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;
const apis = { "the checkout host": stack.checkoutUrl, "the merchant API": stack.baseUrl };
const ADA = { name: "Ada Obi", email: "ada@example.com" };

async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  const open = async (order: object) => (await api.post("/payments", order)).body;
  return { merchant, api, open };
}

test.each(Object.entries(apis))(
  "at %s a session shows only what a payer needs, and nothing about the customer",
  async (_door, url) => {
    const { open } = await aShop();
    const session = await open({
      amount: 100,
      customer_reference: "cust_42",
      customer_name: "Ada Obi",
      description: "Shoes",
    });
    const answer = await client(url).get(`/checkout/${session.reference}`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(answer.body).toEqual({
      reference: session.reference,
      status: "pending",
      mode: "test",
      merchant_name: "Ada Stores",
      description: "Shoes",
      amount: session.amount,
      amount_requested: 100,
      amount_received: 0,
      currency: "NGN",
      account_number: session.account_number,
      account_name: session.account_name,
      bank_name: session.bank_name,
      details_required: false,
      expires_at: session.expires_at,
      server_time: expect.stringMatching(TIME),
      return_url: null,
      poll_after_ms: expect.any(Number),
    });
  },
);

test.each(Object.entries(apis))(
  "at %s an anonymous payer must submit a name and an email before the account is shown",
  async (_door, url) => {
    const { api, open } = await aShop();
    const session = await open({ amount: 100 });
    const payer = client(url);
    const before = await payer.get(`/checkout/${session.reference}`);
    const hidden = { account_number: null, account_name: null, bank_name: null };
    expect(before.body).toMatchObject({ details_required: true, ...hidden });
    const wrong = await payer.post(`/checkout/${session.reference}/details`, { name: "Ada", email: "invalid" });
    expect(wrong.body).toMatchObject({ code: "validation_failed", errors: [{ param: "email" }] });
    const given = await payer.post(`/checkout/${session.reference}/details`, ADA);
    const visible = { details_required: false, account_number: session.account_number };
    expect([given.status, given.body]).toMatchObject([200, visible]);
    expect((await payer.post(`/checkout/${session.reference}/details`, ADA)).body).toMatchObject(visible);
    const others = await payer.post(`/checkout/${session.reference}/details`, { ...ADA, name: "Bola" });
    expect(others.body).toMatchObject({ code: "details_already_given", status: 409 });
    expect(JSON.stringify(given.body)).not.toContain("Ada Obi");
    expect((await api.get(`/payments/${session.reference}`)).body).toMatchObject({
      details_required: false,
      customer_name: "Ada Obi",
    });
  },
);

test.each(Object.entries(apis))(
  "at %s a payer's confirmation that the money was sent delays expiry once",
  async (_door, url) => {
    const { open } = await aShop();
    const session = await open({ amount: 100, customer_name: "Ada Obi" });
    const first = await client(url).post(`/checkout/${session.reference}/sent`, {});
    expect(first.body).toMatchObject({ status: "processing" });
    expect(Date.parse(String(first.body.expires_at))).toBeGreaterThan(Date.parse(String(session.expires_at)));
    const again = await client(url).post(`/checkout/${session.reference}/sent`, {});
    expect(again.body).toMatchObject({ status: "processing", expires_at: first.body.expires_at });
  },
);

test.each(Object.entries(apis))("at %s a public key creates a session in its own namespace", async (_door, url) => {
  const { merchant, api, open } = await aShop();
  const server = await open({ amount: 100, reference: "order-1" });
  const browser = client(url, merchant.keys.pk_test);
  const nonce = { client_nonce: "0f8b2c61d4e94c7a" };
  const order = { amount: 70, reference: "order-1", ...nonce, customer_reference: "cust_42", customer_name: "Ada Obi" };
  const { status, body } = await browser.post("/checkout", order);
  expect([status, body]).toMatchObject([
    201,
    {
      merchant_reference: "order-1",
      amount: 70,
      amount_requested: 70,
      details_required: true,
      account_number: null,
      mode: "test",
    },
  ]);
  expect(body.reference).not.toBe(server.reference);
  expect(body.checkout_url).toBe(`${stack.checkoutUrl}/pay/${body.reference}`);
  const again = await browser.post("/checkout", order);
  expect([again.status, again.body.reference]).toEqual([200, body.reference]);
  // The key is public: a call with other values creates another session and does not affect this one.
  const other = await browser.post("/checkout", { ...order, amount: 80 });
  expect([other.status, other.body.reference === body.reference]).toEqual([201, false]);
  const mine = await api.post("/payments", { amount: 100, reference: "order-1" });
  expect([mine.status, mine.body.reference]).toEqual([200, server.reference]);
  expect((await api.get(`/payments/${body.reference}`)).body).toMatchObject({
    opened_by: "public_key",
    customer_reference: null,
  });
  expect((await api.get("/customer_accounts?status=all")).body.data).toEqual([]);
});

test("a page that repeats its call gets its own session back, with details and paid: it never asks for the money twice", async () => {
  const { merchant, api } = await aShop();
  const browser = client(stack.checkoutUrl, merchant.keys.pk_test);
  const call = { amount: 70, reference: "order-1", client_nonce: "0f8b2c61d4e94c7a" };
  const { reference } = (await browser.post("/checkout", call)).body;
  const repeat = () => browser.post("/checkout", call);
  await browser.post(`/checkout/${reference}/details`, ADA);
  expect(await repeat()).toMatchObject({
    status: 200,
    body: { reference, details_required: false, status: "pending" },
  });
  await api.post("/sandbox/pay", { outcome: "paid", payment_reference: reference });
  await until("it is paid", async () => (await repeat()).body.status === "paid");
  expect(await repeat()).toMatchObject({ status: 200, body: { reference, status: "paid" } });
  // Without the nonce anyone could ask for the session of an order whose id they guess.
  const stranger = await browser.post("/checkout", { ...call, client_nonce: undefined });
  expect([stranger.status, stranger.body.reference === reference]).toEqual([201, false]);
});

test("a public key can do nothing else, and a secret key cannot create a checkout", async () => {
  const { merchant, open } = await aShop();
  const session = await open({ amount: 100 });
  const browser = client(stack.baseUrl, merchant.keys.pk_test);
  for (const path of ["/balance", `/payments/${session.reference}`, "/customer_accounts", "/transfers"])
    expect(refusalIn(await browser.get(path))).toEqual(refusal("secret_key_required", { mode: "test" }));
  expect((await browser.post("/payments", { amount: 1 })).body).toMatchObject({ code: "secret_key_required" });
  for (const url of Object.values(apis))
    for (const key of [merchant.keys.sk_test, "pk_test_nonsense", undefined])
      expect((await client(url, key).post("/checkout", { amount: 1 })).body).toMatchObject({ code: "invalid_api_key" });
});

test("an unknown and a malformed reference get the same refusal from both APIs, and the same page", async () => {
  for (const url of Object.values(apis))
    for (const reference of ["pay_1111111111111111111111", "nonsense", "pay_%00"])
      expect((await client(url).get(`/checkout/${reference}`)).body).toMatchObject({ code: "not_found", status: 404 });
  const pages = await Promise.all(
    ["pay_1111111111111111111111", "nonsense"].map((reference) => fetch(`${stack.checkoutUrl}/pay/${reference}`)),
  );
  expect(pages.map(({ status }) => status)).toEqual([404, 404]);
  const [unknown, malformed] = await Promise.all(pages.map((page) => page.text()));
  const withoutNonce = (text = "") => text.replaceAll(/nonce="[^"]+"/g, "");
  expect(withoutNonce(unknown)).toBe(withoutNonce(malformed));
  expect(unknown).not.toBe(malformed);
});

test("checkout_url is a page that works without scripts, from the payer's name to paid", async () => {
  const { api, open } = await aShop();
  const session = await open({ amount: 100, description: "<b>Shoes</b>" });
  const url = String(session.checkout_url);
  const detailsPage = await (await fetch(url)).text();
  expect(detailsPage).toContain("Ada Stores");
  expect(detailsPage).toContain("&lt;b>Shoes");
  expect(detailsPage).not.toContain(String(session.account_number).slice(-4));
  const form = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  expect((await form("/details", { name: "", email: "x" })).status).toBe(400);
  expect((await form("/details", ADA)).status).toBe(303);
  const page = await fetch(url);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  const visible = (await page.text()).replace(/\s|<[^>]*>/g, "");
  expect(visible).toContain(String(session.account_number));
  expect((await form("/sent", {})).status).toBe(303);
  await api.post("/sandbox/pay", { outcome: "paid", payment_reference: session.reference });
  await until("the page shows paid", async () => (await (await fetch(url)).text()).includes(`data-status="paid"`));
});

test("a browser can create a checkout from any origin, and nothing else is allowed across origins", async () => {
  const { merchant, open } = await aShop();
  const session = await open({ amount: 100 });
  const headers = { origin: "https://shop.example", authorization: `Bearer ${merchant.keys.pk_test}` };
  const preflight = await fetch(`${stack.checkoutUrl}/checkout`, {
    method: "OPTIONS",
    headers: { ...headers, "access-control-request-method": "POST" },
  });
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  const created = await client(stack.checkoutUrl).send("POST", "/checkout", { json: { amount: 5 }, headers });
  expect([created.status, created.headers.get("access-control-allow-origin")]).toEqual([201, "*"]);
  for (const url of [`${stack.checkoutUrl}/checkout/${session.reference}`, `${stack.baseUrl}/balance`])
    expect((await fetch(url, { headers })).headers.get("access-control-allow-origin")).toBeNull();
});

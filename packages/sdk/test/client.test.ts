import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, CollectError, createClient, solveProof } from "../src/index.ts";
import { type Api, drip, hangUp, json, page, problem, type Reply, silence, startApi } from "./api.ts";

let api: Api;
let client: Client;

beforeEach(async () => {
  api = await startApi();
  client = createClient({ key: "sk_test_abc", baseUrl: api.baseUrl, timeoutMs: 1_000 });
});
afterEach(() => api.stop());

async function refusal(call: Promise<unknown>): Promise<CollectError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CollectError) return error;
  throw new Error("not a CollectError", { cause: error });
}

describe("a call", () => {
  test("is sent to its route with the key, and returns the response's JSON", async () => {
    api.reply(json(200, { collected: 12.5 }));
    expect(await client.getBalance()).toEqual({ collected: 12.5 });
    expect(api.asked).toMatchObject([
      { method: "GET", path: "/v1/balance", headers: { authorization: "Bearer sk_test_abc" } },
    ]);
  });

  test("sends its body as JSON and its query in the URL, without undefined values", async () => {
    await client.issueCustomerAccount({ customer_reference: "cust_42", customer_name: "Ada Obi" });
    await client.listCustomerAccounts({ status: "all", limit: undefined });
    expect(api.asked).toMatchObject([
      {
        method: "POST",
        path: "/v1/customer_accounts",
        headers: { "content-type": "application/json" },
        body: '{"customer_reference":"cust_42","customer_name":"Ada Obi"}',
      },
      { method: "GET", path: "/v1/customer_accounts?status=all", body: "" },
    ]);
  });

  test("escapes path parameters, and accepts a baseUrl with a trailing slash", async () => {
    const slashed = createClient({ key: "sk_test_abc", baseUrl: `${api.baseUrl}/` });
    await slashed.getPayment("pay/../1?x#y");
    await slashed.simulatePayment("a:b", { outcome: "paid" });
    expect(api.asked.map(({ path }) => path)).toEqual([
      "/v1/payments/pay%2F..%2F1%3Fx%23y",
      "/v1/customer_accounts/a%3Ab/simulate_payment",
    ]);
  });

  test.each(["", ".", ".."])("with the reference %j is refused, because it would match another route", (reference) => {
    expect(() => client.getTransfer(reference)).toThrow(TypeError);
    expect(api.asked).toEqual([]);
  });

  test("uses the given fetch", async () => {
    const given: typeof fetch = async () => Response.json({ mode: "live" });
    expect(await createClient({ key: "sk_test_abc", fetch: given }).getBalance()).toEqual({ mode: "live" });
  });

  test.each(["sk_live_abc", "pk_test_abc", "rk_test_abc", "rk_live_abc"])("takes a key of any kind: %s", (key) => {
    expect(() => createClient({ key, baseUrl: "https://collect.example/v1" })).not.toThrow();
  });

  test.each(["sk_live_abc", "rk_live_abc", "pk_live_abc"])(
    "sends %s to no default, and in clear to no network",
    (key) => {
      expect(() => createClient({ key })).toThrow(/needs baseUrl/);
      expect(() => createClient({ key, baseUrl: "http://collect.example/v1" })).toThrow(/https only/);
      expect(() => createClient({ key, baseUrl: "http://localhost:4000/v1" })).not.toThrow();
    },
  );

  test.each(["", "whsec_abc", "Bearer sk_test_abc", "sk_test_abc\n"])("needs a key; %j is not one", (key) => {
    expect(() => createClient({ key })).toThrow(/API key/);
  });
});

describe("a proof of work", () => {
  const proof = {
    challenge: "12.1795341900000.nonce.mac",
    difficulty: 12,
    expires_at: "2026-11-22T10:05:00.000+00:00",
  };
  const required = json(429, { status: 429, code: "proof_required", detail: "Solve it.", request_id: "req_8", proof });

  test("is asked for once and thrown with its challenge; the call with the solution is the second", async () => {
    const order = { amount: 2500, client_nonce: "0f8b2c61d4e94c7a" };
    api.reply(required, json(201, { reference: "pay_1" }));
    const refused = await refusal(client.openCheckout(order));
    expect(refused).toMatchObject({ status: 429, code: "proof_required", proof });
    expect(api.asked).toHaveLength(1);
    if (!refused.proof) throw new Error("no challenge");
    await client.openCheckout({ ...order, proof: await solveProof(refused.proof) });
    const sent = JSON.parse(api.asked[1]?.body ?? "{}");
    expect(sent.proof.startsWith(`${proof.challenge}.`)).toBe(true);
    expect(createHash("sha256").update(sent.proof).digest().readUInt16BE(0) >> 4).toBe(0);
  });

  test("is null in other refusals, and in one whose challenge cannot be read", async () => {
    api.reply(problem(404, "not_found"), json(429, { code: "proof_required", proof: { challenge: 1 } }));
    expect((await refusal(client.getPayment("pay_1"))).proof).toBeNull();
    expect((await refusal(client.openCheckout({ amount: 1 }))).proof).toBeNull();
  });
});

describe("a refusal is thrown with all of its content", () => {
  test("a problem document", async () => {
    const errors = [
      { param: "amount", code: "too_small", message: "must be greater than 0" },
      { param: "reference", code: "invalid_type", message: "is required" },
    ];
    api.reply(json(400, { status: 400, code: "validation_failed", detail: "Look.", request_id: "req_7", errors }));
    expect(await refusal(client.openPayment({ amount: 0 }))).toMatchObject({
      ...{ status: 400, code: "validation_failed", detail: "Look.", requestId: "req_7", errors, retryAfter: null },
      message: "validation_failed: amount must be greater than 0; reference is required",
    });
  });

  test("one without invalid fields, with its detail", async () => {
    api.reply(json(404, { status: 404, code: "not_found", detail: "Look." }));
    expect((await refusal(client.getPayment("pay_1"))).message).toBe("not_found: Look.");
  });

  test("a rate limit with a long Retry-After, without waiting for it", async () => {
    api.reply(problem(429, "rate_limited", { "retry-after": "1800" }));
    expect(await refusal(client.getBalance())).toMatchObject({ status: 429, code: "rate_limited", retryAfter: 1800 });
    expect(api.asked).toHaveLength(1);
  });

  test.each<[string, number, Reply]>([
    ["a proxy's page", 500, page(500, { "x-request-id": "req_9" })],
    ["a redirect, which is not followed", 302, page(302, { location: "/elsewhere", "x-request-id": "req_9" })],
    ["a success that is not JSON", 200, page(200, { "x-request-id": "req_9" })],
  ])("%s", async (_what, status, reply) => {
    api.reply(reply);
    expect(await refusal(client.getBalance())).toMatchObject({ status, code: "unreadable_answer", requestId: "req_9" });
    expect(api.asked).toHaveLength(1);
  });
});

const failures: [string, Reply][] = [
  ["503", problem(503, "service_unavailable")],
  ["502 of a proxy", page(502)],
  ["504", problem(504, "provider_timeout")],
  ["429", problem(429, "rate_limited", { "retry-after": "0" })],
  ["a lost connection", hangUp],
  ["a response that never starts", silence],
  ["a response that never ends", drip],
];

describe.each(failures)("after %s", (_what, failure) => {
  test("a call that is safe to repeat is retried, and succeeds", async () => {
    api.reply(failure, json(200, { ok: true }));
    expect(await client.createTransfer(transfer)).toEqual({ ok: true });
    expect(api.asked).toHaveLength(2);
    expect(api.asked[1]?.body).toBe(api.asked[0]?.body);
  });

  test("a payment without a reference and a simulation are not retried", async () => {
    api.reply(failure);
    await Promise.all([
      refusal(client.openPayment({ amount: 2500 })),
      refusal(client.simulatePayment("cust_42", { outcome: "paid" })),
      refusal(client.sandboxPay({ outcome: "paid", amount: 5 })),
    ]);
    expect(api.asked).toHaveLength(3);
  });
});

const transfer = { amount: 100, bank_code: "044", account_number: "0123456789", reference: "payout-7" };
const repeatable: [string, () => Promise<unknown>][] = [
  ["getBalance", () => client.getBalance()],
  ["issueCustomerAccount", () => client.issueCustomerAccount({ customer_reference: "cust_42" })],
  ["openPayment with a reference", () => client.openPayment({ amount: 2500, reference: "order-1" })],
  ["resolveAccount", () => client.resolveAccount({ bank_code: "044", account_number: "0123456789" })],
  ["createTransfer", () => client.createTransfer(transfer)],
];
test.each(repeatable)("%s is attempted as often as allowed, and no more", async (_name, call) => {
  client = createClient({ key: "sk_test_abc", baseUrl: api.baseUrl, retries: 1 });
  api.reply(problem(503, "service_unavailable"));
  expect(await refusal(call())).toMatchObject({ status: 503, code: "service_unavailable", requestId: "req_1" });
  expect(api.asked).toHaveLength(2);
});

test("a short Retry-After is respected", async () => {
  api.reply(problem(429, "rate_limited", { "retry-after": "1" }), json(200, {}));
  await client.getBalance();
  const [first, second] = api.asked;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test("without a response, the error distinguishes a timeout from a failed connection", async () => {
  client = createClient({ key: "sk_test_abc", baseUrl: api.baseUrl, timeoutMs: 1_000, retries: 0 });
  api.reply(silence);
  expect(await refusal(client.getBalance())).toMatchObject({ status: null, code: "timeout", requestId: null });
  await api.stop();
  expect(await refusal(client.getBalance())).toMatchObject({ status: null, code: "network_error" });
  api = await startApi();
});

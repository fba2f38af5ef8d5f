import { connect } from "node:net";
import { rollKey } from "@collect/contracts";
import { afterAll, expect, test } from "vitest";
import { client, refusal, refusalIn } from "../stack/client.ts";
import { untilCurrent } from "../stack/current.ts";
import { startStack } from "../stack.ts";

const stack = await startStack({ env: { gateway: { REQUEST_TIMEOUT_MS: "500" } } });
afterAll(() => stack.stop());

const anonymous = client(stack.baseUrl);
const second = await stack.service("gateway").addReplica();
const secondUrl = `${second.url}/v1`;

/** Every call of the API that needs a key. */
const CALLS = [
  ["GET", "/balance"],
  ["POST", "/customer_accounts"],
  ["GET", "/customer_accounts"],
  ["GET", "/customer_accounts/cust_42"],
  ["POST", "/payments"],
  ["GET", "/payments/pay_1111111111111111111111"],
  ["POST", "/payments/crypto"],
  ["GET", "/banks"],
  ["POST", "/transfers/resolve"],
  ["POST", "/transfers"],
  ["GET", "/transfers"],
  ["GET", "/transfers/trf_1111111111111111111111"],
  ["GET", "/payments"],
  ["POST", "/payments/pay_1111111111111111111111/cancel"],
  ["GET", "/collections"],
  ["GET", "/collections/col_1"],
  ["GET", "/settlements"],
  ["GET", "/settlements/stl_1"],
  ["GET", "/events"],
  ["GET", "/events/evt_1111111111111111111111"],
  ["POST", "/events/evt_1111111111111111111111/replay"],
  ["POST", "/customer_accounts/cust_42/simulate_payment"],
  ["POST", "/sandbox/pay"],
  ["POST", "/sandbox/settle"],
] as const;

test("the index is public, and lists the operations of a secret key", async () => {
  for (const path of ["", "/"]) {
    const { status, headers, body } = await anonymous.get(path);
    expect([status, headers.get("x-request-id")]).toEqual([200, expect.stringMatching(/./)]);
    expect(body).toEqual({
      name: expect.any(String),
      version: "v1",
      docs: null,
      endpoints: [
        "GET /balance",
        "POST /customer_accounts",
        "GET /customer_accounts",
        "GET /customer_accounts/{customer_reference}",
        "POST /payments",
        "GET /payments/{reference}",
        "POST /payments/crypto",
        "GET /banks",
        "POST /transfers/resolve",
        "POST /transfers",
        "GET /transfers",
        "GET /transfers/{reference}",
        "GET /payments",
        "POST /payments/{reference}/cancel",
        "GET /collections",
        "GET /collections/{reference}",
        "GET /settlements",
        "GET /settlements/{id}",
        "GET /events",
        "GET /events/{id}",
        "POST /events/{id}/replay",
        "POST /events/replay",
      ],
      scopes: expect.objectContaining({
        balance: ["GET /balance", "GET /settlements"],
        "transfers:write": expect.any(Array),
      }),
    });
  }
});

test.each(CALLS)("%s %s accepts only secret keys", async (method, path) => {
  const { keys } = await stack.createMerchant();
  const mistyped = `${keys.sk_test.slice(0, -1)}${keys.sk_test.endsWith("0") ? "1" : "0"}`;
  for (const key of [undefined, "nonsense", "sk_test_", mistyped]) {
    const answer = await client(stack.baseUrl, key).send(method, path);
    expect(refusalIn(answer)).toEqual(refusal("invalid_api_key"));
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  }
  const basic = await anonymous.send(method, path, { headers: { authorization: `Basic ${keys.sk_test}` } });
  expect(refusalIn(basic)).toEqual(refusal("invalid_api_key"));
  for (const [mode, key] of [
    ["test", keys.pk_test],
    ["live", keys.pk_live],
  ] as const) {
    const answer = await client(stack.baseUrl, key).send(method, path);
    expect(refusalIn(answer)).toEqual(refusal("secret_key_required", { mode }));
  }
  const { status } = await client(stack.baseUrl, keys.sk_test).send(method, path);
  expect([200, 400, 404]).toContain(status);
});

test("live keys exist only once the business is verified", async () => {
  const merchant = await stack.createMerchant({ verified: false });
  const roll = { merchant_id: merchant.id, mode: "live", kind: "secret", overlap_hours: 0 } as const;
  await expect(stack.bus.request(rollKey, roll)).rejects.toMatchObject({ code: "verification_required" });
});

test("every gateway refuses a rolled key immediately, and accepts the new one", async () => {
  const { id, keys } = await stack.createMerchant();
  const statuses = (key: string) =>
    Promise.all([stack.baseUrl, secondUrl].map(async (url) => (await client(url, key).get("/balance")).status));
  expect(await statuses(keys.sk_test)).toEqual([200, 200]);
  const roll = { merchant_id: id, mode: "test", kind: "secret" } as const;
  const { key } = await stack.bus.request(rollKey, { ...roll, overlap_hours: 0 });
  expect(await statuses(keys.sk_test)).toEqual([401, 401]);
  expect(await statuses(key)).toEqual([200, 200]);
  const overlapping = await stack.bus.request(rollKey, { ...roll, overlap_hours: 1 });
  expect([await statuses(key), await statuses(overlapping.key)]).toEqual([
    [200, 200],
    [200, 200],
  ]);
  expect(await statuses(keys.sk_live)).toEqual([200, 200]);
});

test("a rate limit covers all gateways, keys and modes; above it a call is refused with Retry-After", async () => {
  const { keys } = await stack.createMerchant({ rateLimits: { reads: 10, accounts: 3 } });
  const callers = [stack.baseUrl, secondUrl].flatMap((url) => [client(url, keys.sk_test), client(url, keys.sk_live)]);
  const answers = await Promise.all(callers.flatMap(({ get }) => Array.from({ length: 5 }, () => get("/balance"))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(10);
  for (const answer of refused) {
    const mode = answer.body.mode === "live" ? "live" : "test";
    expect(refusalIn(answer)).toEqual(refusal("rate_limited", { mode }));
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("ratelimit-policy")).toBe('"reads";q=10;w=3600');
    expect(answer.headers.get("ratelimit")).toMatch(/^"reads";r=0;t=\d+$/);
  }
  const { post } = client(stack.baseUrl, keys.sk_test);
  const created = await post("/customer_accounts", { customer_reference: "a", customer_name: "Ada Obi" });
  expect([created.status, created.headers.get("ratelimit-policy")]).toEqual([201, '"accounts";q=3;w=3600']);
});

test("failed calls count toward the limit, and the index never does", async () => {
  const { keys } = await stack.createMerchant({ rateLimits: { accounts: 2 } });
  const { post, get } = client(stack.baseUrl, keys.sk_test);
  const statuses = [];
  for (let call = 0; call < 3; call++) statuses.push((await post("/customer_accounts", {})).status);
  expect(statuses).toEqual([400, 400, 429]);
  expect((await get("/")).status).toBe(200);
});

test("an unknown URL is 404, and an unsupported method is 405 with the allowed ones", async () => {
  expect(refusalIn(await anonymous.get("/nothing"))).toEqual(refusal("not_found"));
  const answer = await anonymous.send("DELETE", "/customer_accounts");
  expect(refusalIn(answer)).toEqual(refusal("method_not_allowed"));
  expect(answer.headers.get("allow")).toBe("POST, GET, HEAD");
});

test("a client's valid request id is echoed, any other is replaced", async () => {
  const valid = await anonymous.get("/balance", { "x-request-id": "order-42" });
  expect([valid.headers.get("x-request-id"), valid.body.request_id]).toEqual(["order-42", "order-42"]);
  const invalid = await anonymous.get("/balance", { "x-request-id": "a b" });
  expect(invalid.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
});

test("a request that is not received in time is answered with 408", async () => {
  const { hostname, port } = new URL(stack.baseUrl);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.write("POST /v1/customer_accounts HTTP/1.1\r\nHost: localhost\r\n"),
    );
    socket.on("data", (data) => (text += data));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(answer).toContain("application/problem+json");
  expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({ code: "request_timeout", status: 408 });
});

test("while a service is down its calls are answered with 503, others succeed, and they recover with the service", async () => {
  const { keys } = await stack.createMerchant();
  const { get } = client(stack.baseUrl, keys.sk_test);
  await stack.service("ledger").kill9();
  expect(refusalIn(await get("/balance"))).toEqual(refusal("service_unavailable", { mode: "test" }));
  expect((await get("/customer_accounts")).status).toBe(200);
  await stack.service("ledger").restart();
  // It answers once a peer has confirmed that its database is not an old copy.
  await untilCurrent(stack.bus);
  expect((await get("/balance")).status).toBe(200);
});

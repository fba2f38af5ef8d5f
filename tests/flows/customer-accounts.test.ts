import { isNuban, TEST_BANK } from "@collect/bank";
import { retireCustomerAccount, SERVICES } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterAll, describe, expect, test } from "vitest";
import { type Answer, client, refusal, refusalIn } from "../stack/client.ts";
import { placesOf } from "../stack/places.ts";
import { startStack } from "../stack.ts";

// A bank that does not answer is waited for.
const stack = await startStack({ env: { accounts: { BANK_TIMEOUT_MS: "1000" } } });
afterAll(() => stack.stop());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/;

async function aShop() {
  const merchant = await stack.createMerchant({ name: "Ada Stores" });
  const { sk_test, sk_live } = merchant.keys;
  return { merchant, test: client(stack.baseUrl, sk_test), live: client(stack.baseUrl, sk_live) };
}

test("a new reference is answered with 201, and repeats with 200 and the same body, whatever their name", async () => {
  const { test } = await aShop();
  const first = await test.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  expect(first.status).toBe(201);
  expect(first.body).toEqual({
    customer_reference: "cust_42",
    customer_name: "Ada Obi",
    account_number: expect.any(String),
    account_name: "Ada Stores / Ada Obi",
    bank_name: TEST_BANK.name,
    status: "active",
    metadata: {},
    mode: "test",
    created_at: expect.stringMatching(TIME),
  });
  expect(isNuban(TEST_BANK.code, String(first.body.account_number))).toBe(true);
  const again = { customer_reference: "cust_42", customer_name: "Another Name" };
  for (const body of [again, { customer_reference: "cust_42" }]) {
    const repeated = await test.post("/customer_accounts", body);
    expect([repeated.status, repeated.text]).toEqual([200, first.text]);
  }
  expect((await test.get("/customer_accounts/cust_42")).text).toBe(first.text);
});

test("a form is equivalent to JSON, and unknown fields are ignored", async () => {
  const { test } = await aShop();
  const form = { customer_reference: "1234.5", customer_name: "42", mode: "live", merchant: "x", status: "retired" };
  const { status, body } = await test.send("POST", "/customer_accounts", { form });
  expect([status, body]).toMatchObject([
    201,
    { customer_reference: "1234.5", customer_name: "42", mode: "test", status: "active" },
  ]);
});

test("the key decides the mode: one reference has an account in each, invisible to the other mode's key", async () => {
  const { test, live } = await aShop();
  const customer = { customer_reference: "both", customer_name: "Bola Ade" };
  const inTest = await test.post("/customer_accounts", customer);
  expect(refusalIn(await live.get("/customer_accounts/both"))).toEqual(refusal("not_found", { mode: "live" }));
  const inLive = await live.post("/customer_accounts", customer);
  expect([inTest.status, inLive.status]).toEqual([201, 201]);
  expect(inLive.body).toMatchObject({ mode: "live", bank_name: "Harbour Bank", account_name: "Ada Stores / Bola Ade" });
  expect(isNuban("729", String(inLive.body.account_number))).toBe(true);
  expect((await live.get("/customer_accounts")).body).toMatchObject({ mode: "live", data: [inLive.body] });
  expect((await test.get("/customer_accounts")).body).toMatchObject({ mode: "test", data: [inTest.body] });
});

test("lists are paginated newest first, filtered by status, and return the effective limit", async () => {
  const { merchant, test } = await aShop();
  const references = ["a", "b", "c", "d", "e"];
  for (const customer_reference of references)
    await test.post("/customer_accounts", { customer_reference, customer_name: "Ada Obi" });
  await stack.bus.request(retireCustomerAccount, {
    merchant: { id: merchant.id, mode: "test" },
    customer_reference: "c",
  });
  const list = async (query: string) => {
    const { status, body } = await test.get(`/customer_accounts${query}`);
    const { data, ...rest } = body as { data: { customer_reference: string }[]; next: string | null };
    return { status, references: data.map(({ customer_reference }) => customer_reference).join(""), ...rest };
  };
  const page = { status: 200, mode: "test" };
  expect(await list("")).toEqual({ ...page, references: "edba", limit: 20, offset: 0, has_more: false, next: null });
  const second = { ...page, references: "ba", limit: 2, offset: 2, has_more: false, next: null };
  expect(await list("?limit=2&offset=2&status=active")).toEqual(second);
  const all = { ...page, references: "edc", limit: 3, offset: 0, has_more: true, next: expect.any(String) };
  const first = await list("?status=all&limit=3");
  expect(first).toEqual(all);
  expect(await list(`?status=all&after=${first.next}`)).toMatchObject({ references: "ba", next: null });
  expect(await list("?status=retired&limit=5000")).toMatchObject({ references: "c", limit: 100 });
});

test.each([
  ["limit=0", "limit"],
  ["limit=ten", "limit"],
  ["offset=-1", "offset"],
  ["status=closed", "status"],
])("a list with %s is refused", async (query, param) => {
  const { test } = await aShop();
  const refused = refusalIn(await test.get(`/customer_accounts?${query}`));
  expect(refused).toEqual(refusal("validation_failed", { mode: "test", params: [param] }));
});

test("an unknown reference, another merchant's, another mode's and a malformed one get the same 404", async () => {
  const [mine, other] = [await aShop(), await aShop()];
  await other.test.post("/customer_accounts", { customer_reference: "theirs", customer_name: "Ada Obi" });
  await mine.live.post("/customer_accounts", { customer_reference: "lively", customer_name: "Ada Obi" });
  const headers = { "x-request-id": "one-of-mine" };
  const texts = new Set<string>();
  for (const reference of ["missing", "theirs", "lively", "not%20one", "%zz"]) {
    const answer = await mine.test.get(`/customer_accounts/${reference}`, headers);
    expect(refusalIn(answer)).toEqual(refusal("not_found", { mode: "test" }));
    texts.add(answer.text);
  }
  expect(texts.size).toBe(1);
});

test.each([
  ["no reference", {}, ["customer_reference"]],
  ["a malformed reference", { customer_reference: "a b", customer_name: "Ada" }, ["customer_reference"]],
  ["a reference of 81", { customer_reference: "x".repeat(81), customer_name: "Ada" }, ["customer_reference"]],
  ["a new reference without a name", { customer_reference: "nameless" }, ["customer_name"]],
  ["an empty name", { customer_reference: "a", customer_name: " " }, ["customer_name"]],
  ["a name of 101", { customer_reference: "a", customer_name: "x".repeat(101) }, ["customer_name"]],
  ["a name with a line end", { customer_reference: "a", customer_name: "Ada\nObi" }, ["customer_name"]],
])("an account with %s is refused, and the invalid fields are named", async (_what, body, params) => {
  const { test } = await aShop();
  const refused = refusalIn(await test.post("/customer_accounts", body));
  expect(refused).toEqual(refusal("validation_failed", { mode: "test", params }));
  expect((await test.get("/customer_accounts?status=all")).body.data).toEqual([]);
});

test.each([
  ["truncated JSON", { raw: '{"customer_reference":' }, "malformed_body"],
  ["a list", { json: [1] }, "malformed_body"],
  ["another media type", { raw: "<a/>", headers: { "content-type": "text/xml" } }, "unsupported_media_type"],
  ["33 kB", { json: { customer_reference: "a", customer_name: "x".repeat(33_000) } }, "body_too_large"],
] as const)("a body that is %s is refused", async (_what, sent, code) => {
  const { test } = await aShop();
  expect(refusalIn(await test.send("POST", "/customer_accounts", sent))).toEqual(refusal(code, { mode: "test" }));
});

test("20 concurrent creates of each of 50 references give 50 accounts: one 201 per reference and 200 for the rest", async () => {
  const merchant = await stack.createMerchant({ rateLimits: { accounts: 100_000 } });
  const { post, get } = client(stack.baseUrl, merchant.keys.sk_test);
  const answers: Answer[] = [];
  // Five references at a time: a busy machine refuses a flood, rightly.
  for (let n = 0; n < 50; n += 5) {
    const calls = Array.from({ length: 5 * 20 }, (_, call) => `c${n + (call % 5)}`);
    const create = (customer_reference: string) =>
      post("/customer_accounts", { customer_reference, customer_name: "Ada Obi" });
    answers.push(...(await Promise.all(calls.map(create))));
  }
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(50);
  expect(statuses.filter((status) => status === 200)).toHaveLength(950);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(50);
  expect(new Set(answers.map(({ body }) => body.account_number)).size).toBe(50);
  const list = await get("/customer_accounts?limit=100");
  expect(list.body.data).toHaveLength(50);
});

test("a customer's BVN or NIN is in no database and no log, whatever became of the call", async () => {
  const { merchant, test, live } = await aShop();
  const [bvn, nin] = ["22215937046", "70481526393"];
  const customer = (reference: string) => ({ customer_reference: reference, customer_name: "Ada Obi" });
  const calls = await Promise.all([
    ...[test, live].flatMap((api) => [
      api.post("/customer_accounts", { ...customer("cust_1"), bvn }),
      api.send("POST", "/customer_accounts", { form: { ...customer("cust_2"), nin } }),
      api.post("/customer_accounts", { ...customer("a b"), bvn }),
      api.post("/customer_accounts", { ...customer("cust_3"), bvn: `${bvn}0`, nin }),
      api.get(`/customer_accounts?bvn=${bvn}`),
    ]),
    test.send("POST", "/customer_accounts", { raw: `{"customer_reference":"cust_4","bvn":"${bvn}` }),
  ]);
  expect(calls.map(({ status }) => status)).toEqual([201, 201, 400, 400, 400, 201, 201, 400, 400, 400, 400]);
  await until("the calls are logged", async () => {
    const logged = "select 1 from api_calls where merchant_id = $1";
    return (await stack.database("gateway").query(logged, [merchant.id])).rows.length === calls.length;
  });
  for (const number of [bvn, nin]) {
    expect(await placesOf(stack, number)).toEqual([]);
    for (const service of [...SERVICES, "bank-simulator"] as const) expect(stack.logs(service)).not.toContain(number);
  }
  // The search itself finds what is kept.
  expect(await placesOf(stack, "cust_4")).toContain("gateway.api_calls");
});

describe("when the partner bank fails", () => {
  const simulator = client(stack.bankSimulatorUrl);

  test.each([
    ["does not answer in time", "timeout", "provider_timeout"],
    ["fails", "fail", "provider_error"],
    ["returns an invalid response", "nonsense", "provider_error"],
  ] as const)(
    "when it %s no partial account remains, and a repeated call creates the account",
    async (_what, behaviour, code) => {
      const { live } = await aShop();
      const customer = { customer_reference: "cust_42", customer_name: "Ada Obi" };
      await simulator.post("/control/behaviour", { operation: "accounts", behaviour, times: 1 });
      expect(refusalIn(await live.post("/customer_accounts", customer))).toEqual(refusal(code, { mode: "live" }));
      expect(refusalIn(await live.get("/customer_accounts/cust_42"))).toEqual(refusal("not_found", { mode: "live" }));
      expect((await live.get("/customer_accounts?status=all")).body.data).toEqual([]);
      const created = await live.post("/customer_accounts", customer);
      const repeated = await live.post("/customer_accounts", customer);
      expect([created.status, repeated.status, repeated.text]).toEqual([201, 200, created.text]);
    },
  );

  test("test mode is unaffected", async () => {
    const { test } = await aShop();
    await simulator.post("/control/behaviour", { operation: "accounts", behaviour: "fail" });
    const created = await test.post("/customer_accounts", { customer_reference: "a", customer_name: "Ada Obi" });
    await simulator.post("/control/behaviour", { operation: "accounts", behaviour: "normal" });
    expect(created.status).toBe(201);
  });
});

import { beforeEach, expect, onTestFinished, test } from "vitest";
import { aShop, call, useGateway, withoutRequestId } from "./gateway.ts";
import { KNOWN_REFERENCE, useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const shop = await aShop(world);

beforeEach(() => {
  others.asked.length = 0;
});

const post = (path: string, body: unknown, key = shop.sk_test, type?: string) =>
  call(gateway, "POST", path, { key, body, type });
const get = (path: string, key = shop.sk_test) => call(gateway, "GET", path, { key });
const merchant = () => ({ id: shop.id, name: "Ada Stores", mode: "test" });

test("a new session returns 201 and an existing one 200; a form is equivalent to JSON", async () => {
  const fields = { amount: 2500.5, reference: "order-1", description: "Two\nlines" };
  const form = new URLSearchParams({ ...fields, amount: "2500.5" }).toString();
  const first = await post("/payments", fields);
  const again = await post("/payments", form, shop.sk_test, "application/x-www-form-urlencoded");
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.text).toBe(first.text);
  const asked = { amount: 250_050n, reference: "order-1", description: "Two\nlines", merchant: merchant() };
  expect(others.asked).toEqual([asked, asked]);
});

test("a repeat is found by its reference, whatever is wrong with the rest of its body", async () => {
  const wrong = [{}, { amount: -1 }, { amount: "a lot", description: 7 }, { amount: 1, customer_reference: "a b" }];
  for (const rest of wrong) {
    const { status, body } = await post("/payments", { ...rest, reference: KNOWN_REFERENCE });
    expect([status, body.merchant_reference, body.mode]).toEqual([200, KNOWN_REFERENCE, "test"]);
    const unknown = await post("/payments", { ...rest, reference: "order-2" });
    expect([unknown.status, unknown.body.code]).toEqual([400, "validation_failed"]);
  }
  expect(others.asked).toEqual([]);
});

test("a reference that is itself invalid is refused, and so is a repeat whose session cannot be looked up now", async () => {
  for (const reference of ["..", "", 7, "x".repeat(101)])
    expect((await post("/payments", { amount: 100, reference })).body.errors).toMatchObject([{ param: "reference" }]);
  expect(others.asked).toEqual([]);
  others.refuseWith("service_unavailable");
  const { status } = await post("/payments", { reference: KNOWN_REFERENCE });
  others.refuseWith(undefined);
  expect(status).toBe(503);
});

test("digits in text fields of a form remain text, and only an amount becomes a number", async () => {
  const form = "amount=100&reference=42&customer_reference=7&customer_name=12";
  await post("/payments", form, shop.sk_test, "application/x-www-form-urlencoded");
  expect(others.asked).toMatchObject([
    { amount: 10_000n, reference: "42", customer_reference: "7", customer_name: "12" },
  ]);
});

test("an excessive amount is forwarded, so that the service that knows the limit refuses it", async () => {
  for (const amount of ["1e15", "1e300", "99999999999999999999"])
    expect((await post("/payments", `{"amount":${amount}}`)).status).toBe(201);
  expect(new Set(others.asked.map(({ amount }) => amount)).size).toBe(1);
  others.refuseWith("amount_over_limit");
  const refused = await post("/payments", { amount: 5_000_001 });
  others.refuseWith(undefined);
  expect([refused.status, refused.body.code, refused.body.mode]).toEqual([422, "amount_over_limit", "test"]);
});

test("crypto is a separate endpoint: a key and a valid body are checked first, then 501", async () => {
  const answer = await post("/payments/crypto", { amount: 2500 });
  expect([answer.status, answer.body.code]).toEqual([501, "crypto_unavailable"]);
  expect((await post("/payments/crypto", { amount: -1 })).status).toBe(400);
  expect((await post("/payments/crypto", { amount: 2500 }, "nonsense")).status).toBe(401);
  expect(others.asked).toEqual([{ amount: 250_000n, merchant: merchant() }]);
});

test("a new transfer returns 201 and an existing one 200", async () => {
  const fields = { amount: 10, bank_code: "058", account_number: "0123456789", reference: "out-1" };
  const [first, again] = [await post("/transfers", fields), await post("/transfers", fields)];
  expect([first.status, again.status, again.text]).toEqual([201, 200, first.text]);
  others.refuseWith("reference_conflict");
  expect((await post("/transfers", { ...fields, amount: 11 })).status).toBe(409);
  others.refuseWith(undefined);
});

test("a bank code and an account number keep their leading zeros in a form", async () => {
  const form = "amount=10&bank_code=058&account_number=0123456789&reference=out-2";
  await post("/transfers", form, shop.sk_test, "application/x-www-form-urlencoded");
  expect(others.asked).toMatchObject([{ bank_code: "058", account_number: "0123456789", amount: 1_000n }]);
});

test("transfers are listed by page and status, of the key's mode", async () => {
  const { status, body } = await get("/transfers?status=failed&limit=500", shop.sk_live);
  expect([status, body.limit, body.mode]).toEqual([200, 100, "live"]);
  expect(others.asked).toMatchObject([{ status: "failed", limit: 100, offset: 0, merchant: { mode: "live" } }]);
  expect((await get("/transfers?status=paid")).status).toBe(400);
});

test.each(["/payments", "/transfers"])(
  "%s: missing, another merchant's and malformed get the same 404",
  async (path) => {
    others.refuseWith("not_found");
    const missing = withoutRequestId(await get(`${path}/unknown`));
    others.refuseWith(undefined);
    expect(missing.status).toBe(404);
    others.asked.length = 0;
    for (const reference of ["%00", "a%00b", "%zz", "%ff", "a%20b", "a".repeat(101), "..%2f..%2fbalance", "%EF%BF%BD"])
      expect(withoutRequestId(await get(`${path}/${reference}`))).toEqual(missing);
    expect(others.asked).toEqual([]);
  },
);

test("what a field names and does not exist is not found under the name of that field", async () => {
  const scenario = { name: "reported_twice", seed: 7, account_number: "0000000419" };
  others.refuseWith("not_found");
  const answers = [
    await post("/sandbox/pay", { outcome: "paid", payment_reference: "pay_unknown" }),
    await post("/sandbox/scenarios", scenario),
    await get("/collections?settlement_id=stl_unknown"),
  ];
  others.refuseWith(undefined);
  for (const { status, body } of answers) expect([status, body.code]).toEqual([404, "not_found"]);
  expect(answers.map(({ body }) => body.errors)).toEqual(
    ["payment_reference", "account_number", "settlement_id"].map((param) => [
      { param, code: "not_found", message: "is unknown in the mode of the key" },
    ]),
  );
});

test("every read counts against the reads; creating sessions, sending money and name enquiries do not", async () => {
  const poor = await aShop(world, { reads: 4 });
  const reads = ["/payments/pay_1", "/banks", "/transfers", "/transfers/trf_1", "/banks"];
  const answers = [];
  for (const path of reads) answers.push((await get(path, poor.sk_test)).status);
  expect(answers).toEqual([200, 200, 200, 200, 429]);

  expect((await post("/payments", { amount: 1 }, poor.sk_test)).headers.get("ratelimit")).toBeNull();
});

test("payments counts name enquiries, and its refusal says when one more is allowed", async () => {
  const body = { bank_code: "058", account_number: "0123456789" };
  const allowed = await post("/transfers/resolve", body, shop.sk_test);
  expect([allowed.status, allowed.headers.get("ratelimit")]).toEqual([200, null]);
  others.refuseWith("rate_limited");
  onTestFinished(() => others.refuseWith(undefined));
  const refused = await post("/transfers/resolve", body, shop.sk_test);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
});

import { CustomerAccountList } from "@collect/contracts";
import { beforeEach, expect, test } from "vitest";
import { aShop, call, useGateway, withoutRequestId } from "./gateway.ts";
import { exampleOf, useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
const others = await useOthers(world);
const shop = await aShop(world);
const foreign = await aShop(world);

beforeEach(() => {
  others.asked.length = 0;
});

const post = (body: unknown, given: { key?: string; type?: string; path?: string } = {}) =>
  call(gateway, "POST", given.path ?? "/customer_accounts", { key: given.key ?? shop.sk_test, body, type: given.type });
const get = (path: string, key = shop.sk_test) => call(gateway, "GET", path, { key });

test("a new account returns 201 and an existing one 200, with the same body", async () => {
  const fields = { customer_reference: "cust:new", customer_name: "Ada Obi", metadata: { order: "17" } };
  const [first, again] = [await post(fields), await post(fields)];
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.text).toBe(first.text);
  expect(first.body).toEqual({
    customer_reference: "cust:new",
    customer_name: "Ada Obi",
    account_number: "0000000419",
    account_name: "Ada Stores / Ada Obi",
    bank_name: "Test Bank",
    status: "active",
    metadata: { order: "17" },
    mode: "test",
    created_at: "2026-11-21T09:30:00.123+00:00",
  });
});

test("a repeat returns the account unchanged, whatever is wrong with the rest of its body", async () => {
  const first = await post({ customer_reference: "cust:known", customer_name: "Ada Obi" });
  const wrong = [
    { customer_name: "" },
    { customer_name: "x".repeat(101) },
    { customer_name: 7, bvn: "1", metadata: [] },
  ];
  for (const rest of wrong) {
    const again = await post({ ...rest, customer_reference: "cust:known" });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const others = [
      await post({ ...rest, customer_reference: "cust:unknown" }),
      await post({ ...rest, customer_reference: "cust:known" }, { key: foreign.sk_test }),
      await post({ ...rest, customer_reference: "cust:known" }, { key: shop.sk_live }),
    ];
    for (const { status, body } of others) expect([status, body.code]).toEqual([400, "validation_failed"]);
  }
});

test("a form is equivalent to JSON, and digits in a reference remain text", async () => {
  const form = await post("customer_reference=42&customer_name=Ada+Obi", { type: "application/x-www-form-urlencoded" });
  expect([form.status, form.body.customer_reference, form.body.customer_name]).toEqual([201, "42", "Ada Obi"]);
});

test("the key alone decides merchant and mode, whatever the body or the query contains", async () => {
  const forged = {
    customer_reference: "c1",
    customer_name: "A",
    mode: "live",
    merchant: { id: foreign.id, mode: "live" },
  };
  const answer = await post(forged, { path: `/customer_accounts?mode=live&merchant=${foreign.id}` });
  expect([answer.status, answer.body.mode]).toEqual([201, "test"]);
  const merchant = { id: shop.id, name: "Ada Stores", mode: "test" };
  expect(others.asked).toEqual([{ customer_reference: "c1", customer_name: "A", merchant }]);
  const live = await post(forged, { key: shop.sk_live });
  expect([live.status, live.body.mode]).toEqual([201, "live"]);
});

test("a list forwards its page and its filter, and refuses non-numeric values", async () => {
  const page = await get("/customer_accounts?limit=1000&offset=5&status=all");
  expect(page.body).toEqual({ ...exampleOf(CustomerAccountList), limit: 100, offset: 5 });
  expect(others.asked).toMatchObject([{ limit: 100, offset: 5, status: "all" }]);
  for (const query of ["limit=0", "limit=x", "limit=1&limit=2", "offset=-1", "status=gone", "status=all&status=all"]) {
    const refused = await get(`/customer_accounts?${query}`);
    const [param] = query.split("=");
    expect([refused.status, refused.body.code, refused.body.mode]).toEqual([400, "validation_failed", "test"]);
    expect(refused.body.errors).toMatchObject([{ param }]);
  }
  expect(others.asked).toHaveLength(1);
});

test("missing, another merchant's, of the other mode and malformed get the same 404", async () => {
  await post({ customer_reference: "mine", customer_name: "Ada" });
  expect((await get("/customer_accounts/mine")).status).toBe(200);
  const missing = await get("/customer_accounts/nobody");
  expect([missing.status, missing.body.code, missing.body.mode]).toEqual([404, "not_found", "test"]);
  expect(missing.headers.get("content-type")).toContain("application/problem+json");
  const same = withoutRequestId(missing);
  expect(withoutRequestId(await get("/customer_accounts/mine", foreign.sk_test))).toEqual(same);
  for (const reference of ["a%20b", "%00", "%zz", "%ff", "é", "a".repeat(81), "..%2f..%2fmine", "%3Cscript%3E"]) {
    expect(withoutRequestId(await get(`/customer_accounts/${reference}?x=%zz`))).toEqual(same);
  }
  // Of the other mode: the same, except for the mode of the key in use.
  const live = withoutRequestId(await get("/customer_accounts/mine", shop.sk_live));
  expect(live).toEqual({ status: 404, text: same.text.replace('"mode":"test"', '"mode":"live"') });
});

test("a reference in a path is decoded, and a body cannot replace it", async () => {
  await post({ customer_reference: "a:b", customer_name: "Ada" });
  expect((await get("/customer_accounts/a%3Ab")).body.customer_reference).toBe("a:b");
  const path = "/customer_accounts/a:b/simulate_payment";
  const paid = await post({ outcome: "paid", amount: 10.5, customer_reference: "other" }, { path });
  expect([paid.status, paid.body.amount]).toEqual([200, 10.5]);
  expect(others.asked.at(-1)).toMatchObject({ customer_reference: "a:b", amount: 1_050n });
});

test("simulating accepts JSON and forms, and only test keys", async () => {
  await post({ customer_reference: "sim", customer_name: "Ada" });
  await post({ customer_reference: "sim", customer_name: "Ada" }, { key: shop.sk_live });
  const path = "/customer_accounts/sim/simulate_payment";
  const form = await post("outcome=underpaid&amount=2500.73&payer_name=123", {
    path,
    type: "application/x-www-form-urlencoded",
  });
  expect([form.status, form.body.amount, form.body.mode]).toEqual([200, 2500.73, "test"]);
  expect(others.asked.at(-1)).toMatchObject({ amount: 250_073n, payer_name: "123" });

  const live = await post({ outcome: "paid", amount: 1 }, { path, key: shop.sk_live });
  expect([live.status, live.body.code, live.body.mode]).toEqual([403, "test_key_required", "live"]);
});

test("a malformed reference on a simulator is the same 404 as a missing one, and a bad body the same 400", async () => {
  const [missing, malformed] = ["nobody", "a%20b"].map(
    (reference) => `/customer_accounts/${reference}/simulate_payment`,
  );
  const good = { outcome: "paid", amount: 1 };
  const same = withoutRequestId(await post(good, { path: missing }));
  expect(same.status).toBe(404);
  expect(withoutRequestId(await post(good, { path: malformed }))).toEqual(same);
  const bad = withoutRequestId(await post({ outcome: "failed" }, { path: missing }));
  expect(bad.status).toBe(400);
  expect(withoutRequestId(await post({ outcome: "failed" }, { path: malformed }))).toEqual(bad);
});

test("a validation error names each field, with a code and a message", async () => {
  const refused = await post({ customer_reference: "not ok", customer_name: "" });
  expect([refused.status, refused.body.code, refused.body.mode]).toEqual([400, "validation_failed", "test"]);
  expect(refused.body.errors).toEqual([
    { param: "customer_reference", code: expect.any(String), message: expect.stringContaining("1 to 80 characters") },
    { param: "customer_name", code: expect.any(String), message: "must not be empty" },
  ]);
  expect((await post({})).body.errors).toMatchObject([{ param: "customer_reference" }]);
  expect(others.asked).toEqual([]);
});

import { checkPublicKey, Problem, rollKey } from "@collect/contracts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { newApiKey } from "../src/domain/api-key.ts";
import { CHECKOUT } from "../src/endpoints/checkout.ts";
import { operationOf } from "../src/openapi/operation.ts";
import { aShop, call, startGateway, useGateway, withoutRequestId } from "./gateway.ts";
import { aSessionReference } from "./operations.ts";
import { useOthers } from "./others.ts";

const { world, gateway } = await useGateway();
const replica = await startGateway(world);
afterAll(replica.stop);
const others = await useOthers(world);
const shop = await aShop(world);

beforeEach(() => {
  others.asked.length = 0;
});

const show = (reference: string, on = gateway) => call(on, "GET", `/checkout/${reference}`);
const open = (key: string | undefined, body: unknown = { amount: 2500 }, on = gateway) =>
  call(on, "POST", "/checkout", { key, body });

test("anyone with a session's reference can read it without a key, and the response is neither cached nor readable by other origins", async () => {
  const reference = aSessionReference();
  const { status, body, headers } = await show(reference);
  expect([status, body.reference]).toEqual([200, reference]);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("access-control-allow-origin")).toBeNull();
  const details = { name: "Ngozi Eze", email: "ngozi@example.com", reference: "pay_other", merchant: { id: "mer_1" } };
  expect((await call(gateway, "POST", `/checkout/${reference}/details`, { body: details })).status).toBe(200);
  expect((await call(gateway, "POST", `/checkout/${reference}/sent`)).body.status).toBe("processing");
  expect(others.asked).toEqual([
    { reference },
    { reference, name: "Ngozi Eze", email: "ngozi@example.com", client: "127.0.0.1" },
    { reference },
  ]);
});

/** As a browser names another site, and as an older one does. */
const FOREIGN: Record<string, string>[] = [
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { origin: "https://evil.example" },
];

test("what a page of another origin sends for a payer, as a form can, is refused and not forwarded", async () => {
  const reference = aSessionReference();
  const send = (path: "details" | "sent", headers: Record<string, string>) =>
    call(gateway, "POST", `/checkout/${reference}/${path}`, {
      body: "name=Ngozi+Eze&email=ngozi%40example.com",
      type: "application/x-www-form-urlencoded",
      headers,
    });
  for (const path of ["details", "sent"] as const) {
    for (const headers of FOREIGN) {
      const { status, body } = await send(path, headers);
      expect([status, body.code]).toEqual([403, "origin_not_allowed"]);
    }
    expect(others.asked).toEqual([]);
    expect((await send(path, {})).status).toBe(200);
    others.asked.length = 0;
  }
});

test("a malformed reference gets the same 404 as an unknown one, and is not forwarded", async () => {
  others.refuseWith("not_found");
  const unknown = withoutRequestId(await show(aSessionReference()));
  others.refuseWith(undefined);
  expect(unknown.status).toBe(404);
  others.asked.length = 0;
  const wrong = [
    "pay_1",
    "x",
    "%00",
    "%zz",
    aSessionReference().slice(0, -1),
    `${aSessionReference()}1`,
    "pay_0OIl0OIl0OIl0OIl0OIl0O",
  ];
  for (const reference of wrong) {
    expect(withoutRequestId(await show(reference))).toEqual(unknown);
    for (const more of ["details", "sent"])
      expect(withoutRequestId(await call(gateway, "POST", `/checkout/${reference}/${more}`, { body: {} }))).toEqual(
        unknown,
      );
  }
  expect(others.asked).toEqual([]);
});

test("the checkout counts the calls of a session; its refusal says when to go on, and no budget is named beside it", async () => {
  others.refuseWith("rate_limited");
  const { status, body, headers } = await show(aSessionReference());
  others.refuseWith(undefined);
  expect([status, body.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
  expect([headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([null, null]);
});

test("details with invalid fields are refused before the checkout counts them, as the document says", async () => {
  const details = `/checkout/${aSessionReference()}/details`;
  for (const body of [{ name: "Ngozi Eze", email: "ngozi" }, {}])
    expect((await call(gateway, "POST", details, { body })).status).toBe(400);
  expect(others.asked).toEqual([]);
  const sentence = "A call that is refused here for its fields is not counted.";
  const saying = CHECKOUT.filter((row) => String(operationOf(row).description).includes(sentence));
  expect(saying.map(({ name }) => name)).toEqual(["giveCheckoutDetails"]);
});

test("polling does not count against the merchant's budgets, with or without a key", async () => {
  const poor = await aShop(world, { reads: 1 });
  const reference = aSessionReference();
  for (const key of [poor.sk_test, poor.pk_test, "nonsense"])
    expect((await call(gateway, "GET", `/checkout/${reference}`, { key })).status).toBe(200);
  expect((await call(gateway, "GET", "/balance", { key: poor.sk_test })).status).toBe(200);
});

test("a public key creates a session for its merchant in its mode: 201 when new, 200 when it exists", async () => {
  const body = {
    amount: 2500,
    reference: "order-1",
    customer_reference: "cust_1",
    customer_name: "Ada",
    opened_by: "secret_key",
  };
  for (const [mode, key] of [
    ["test", shop.pk_test],
    ["live", shop.pk_live],
  ] as const) {
    const [first, again] = [await open(key, body), await open(key, body)];
    expect([first.status, again.status, first.body.mode]).toEqual([201, 200, mode]);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(others.asked.at(-1)).toEqual({
      amount: 250_000n,
      reference: "order-1",
      merchant: { id: shop.id, name: "Ada Stores", mode },
      client: "127.0.0.1",
    });
  }
});

test("a secret key creates no session from a browser: it is refused as invalid, without confirming that it is a secret key", async () => {
  const none = withoutRequestId(await open(undefined));
  expect(none.status).toBe(401);
  expect(JSON.parse(none.text)).toMatchObject({ code: "invalid_api_key" });
  for (const key of [shop.sk_test, shop.sk_live, "nonsense", newApiKey({ kind: "public", mode: "test" }, () => 7)])
    expect(withoutRequestId(await open(key))).toEqual(none);
  expect(others.asked).toEqual([]);
});

const codeOf = (asked: Promise<unknown>) => asked.then(String, (error) => error instanceof Problem && error.code);
const check = (key: string) => world.others.request(checkPublicKey, { key });

test("the checkout gets the merchant of a public key; every other key gets the same refusal", async () => {
  for (const [mode, key] of [
    ["test", shop.pk_test],
    ["live", shop.pk_live],
  ] as const)
    expect(await check(key)).toEqual({ merchant: { id: shop.id, name: "Ada Stores", mode } });
  for (const key of [shop.sk_test, shop.sk_live, "", "nonsense", `${shop.pk_test}x`])
    expect(await codeOf(check(key))).toBe("invalid_api_key");
});

test("a public key that was rolled is refused immediately, here and for the checkout", async () => {
  const { id, pk_test } = await aShop(world);
  expect((await open(pk_test)).status).toBe(201);
  const { key } = await world.others.request(rollKey, {
    merchant_id: id,
    mode: "test",
    kind: "public",
    overlap_hours: 0,
  });
  expect([(await open(pk_test)).status, (await open(pk_test, undefined, replica)).status]).toEqual([401, 401]);
  expect(await codeOf(check(pk_test))).toBe("invalid_api_key");
  expect((await open(key)).status).toBe(201);
  expect((await check(key)).merchant.id).toBe(id);
});

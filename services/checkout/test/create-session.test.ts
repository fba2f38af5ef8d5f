import type { World } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aSession, type Checkout, call, FORM, openCheckoutWorld, startCheckout, tell } from "./checkout.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let checkout: Checkout;
let others: Others;

beforeAll(async () => {
  world = await openCheckoutWorld();
  others = await playOthers(world);
  checkout = await startCheckout(world);
});

afterAll(async () => {
  await checkout.stop();
  await others.stop();
  await world.close();
});

const show = (reference: string) => call(checkout, "GET", `/checkout/${reference}`);

/** A session that payments knows and has told. */
async function known(given: Parameters<typeof aSession>[0] = {}) {
  const session = aSession(given);
  others.know(session);
  await tell(world, session);
  return session;
}

describe("POST /checkout", () => {
  const open = (key: string | undefined, body: unknown, type?: string) =>
    call(checkout, "POST", "/checkout", { key, body, type });

  test("opens a session for the key's merchant and mode; a repeated reference gives the same one", async () => {
    for (const mode of ["test", "live"] as const) {
      const { key, merchant } = others.aKey(mode);
      const fields = { amount: 2500, reference: "order-7", mode: "live", merchant: { id: "x" }, customer_name: "Eve" };
      const opened = await open(key, fields);
      expect([opened.status, opened.headers.get("cache-control")]).toEqual([201, "no-store"]);
      expect(opened.body).toMatchObject({
        status: "pending",
        mode,
        amount_requested: 2500,
        merchant_reference: "order-7",
        account_number: null,
        checkout_url: `http://localhost:4100/pay/${opened.body.reference}`,
      });
      const again = await open(key, "amount=2500.00&reference=order-7", FORM);
      expect([again.status, again.body.reference]).toEqual([200, opened.body.reference]);
      expect((await show(String(opened.body.reference))).status).toBe(200);
      const { input } = others.asked.findLast(({ subject }) => subject === "open") ?? {};
      expect(input).toMatchObject({ merchant, amount: 250_000n, reference: "order-7" });
    }
  });

  test("only a public key opens, and a secret one does not even leave this service", async () => {
    const random = "a".repeat(38);
    const before = others.asked.length;
    const wrong = [
      undefined,
      "nonsense",
      `sk_test_${random}`,
      `sk_live_${random}`,
      "pk_test_short",
      `xpk_test_${random}`,
    ];
    for (const key of wrong) {
      const refused = await open(key, { amount: 1 });
      expect([refused.status, refused.body.code]).toEqual([401, "invalid_api_key"]);
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(others.asked.length).toBe(before);
    const unknown = await open(`pk_test_${random}`, { amount: 1 });
    expect([unknown.status, unknown.body.code, unknown.body.mode]).toEqual([401, "invalid_api_key", undefined]);
    const basic = { authorization: `Basic ${others.aKey().key}` };
    expect((await call(checkout, "POST", "/checkout", { body: { amount: 1 }, headers: basic })).status).toBe(401);
  });

  test.each(["0", "-1", "1.005", '"10"', "null", "[]", "{}", "1e-3"])("an amount of %s is refused", async (amount) => {
    const { key } = others.aKey();
    const refused = await open(key, `{"amount":${amount}}`);
    expect([refused.status, refused.body.code, refused.body.mode]).toEqual([400, "validation_failed", "test"]);
    expect(refused.body.errors).toMatchObject([{ param: "amount" }]);
  });

  test("an amount above the limit, however far, is payments' to refuse", async () => {
    const { key } = others.aKey("live");
    for (const amount of ["5000000.01", "1e300"]) {
      const refused = await open(key, `{"amount":${amount}}`);
      expect([refused.status, refused.body.code, refused.body.mode]).toEqual([422, "amount_over_limit", "live"]);
    }
  });

  test("may be called and read from every origin, refusals too, and nothing else may", async () => {
    const { key } = others.aKey();
    const headers = { origin: "https://shop.example" };
    const allowed = "access-control-allow-origin";
    for (const [given, status] of [
      [key, 201],
      ["x", 401],
    ] as const) {
      const answer = await call(checkout, "POST", "/checkout", { key: given, body: { amount: 10 }, headers });
      expect([answer.status, answer.headers.get(allowed)]).toEqual([status, "*"]);
      expect(answer.headers.get("access-control-allow-credentials")).toBe(null);
    }
    const preflight = await call(checkout, "OPTIONS", "/checkout", { headers });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "authorization, content-type",
    });
    const { reference } = await known();
    for (const [method, path] of [
      ["GET", `/checkout/${reference}`],
      ["OPTIONS", `/checkout/${reference}`],
      ["POST", `/checkout/${reference}/sent`],
      ["OPTIONS", `/checkout/${reference}/details`],
      ["GET", `/pay/${reference}`],
    ] as const)
      expect((await call(checkout, method, path, { headers })).headers.get(allowed), path).toBe(null);
  });
});

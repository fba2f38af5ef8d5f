import { describe, expect, test } from "vitest";
import { call, FORM } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { fakes, checkout, aKnownSession, show } = await useCheckout();

describe("POST /checkout", () => {
  const create = (key: string | undefined, body: unknown, type?: string) =>
    call(checkout, "POST", "/checkout", { key, body, type });

  test("creates a session for the key's merchant and mode; a repeat with its nonce returns the same one", async () => {
    for (const mode of ["test", "live"] as const) {
      const { key, merchant } = fakes.aKey(mode);
      const client_nonce = "0f8b2c61d4e94c7a";
      const fields = {
        amount: 2500,
        reference: "order-7",
        client_nonce,
        mode: "live",
        merchant: { id: "x" },
        customer_name: "Eve",
      };
      const created = await create(key, fields);
      expect([created.status, created.headers.get("cache-control")]).toEqual([201, "no-store"]);
      expect(created.body).toMatchObject({
        status: "pending",
        mode,
        amount: 2500,
        amount_requested: 2500,
        warnings: [],
        merchant_reference: "order-7",
        account_number: null,
        checkout_url: `http://localhost:4100/pay/${created.body.reference}`,
      });
      const again = await create(key, `amount=2500.00&reference=order-7&client_nonce=${client_nonce}`, FORM);
      expect([again.status, again.body.reference]).toEqual([200, created.body.reference]);
      expect((await show(String(created.body.reference))).status).toBe(200);
      const { input } = fakes.requests.findLast(({ subject }) => subject === "create") ?? {};
      expect(input).toMatchObject({ merchant, amount: 250_000n, reference: "order-7" });
    }
  });

  test("only a public key is accepted, and a secret key is never forwarded", async () => {
    const random = "a".repeat(38);
    const before = fakes.requests.length;
    const wrong = [
      undefined,
      "nonsense",
      `sk_test_${random}`,
      `sk_live_${random}`,
      "pk_test_short",
      `xpk_test_${random}`,
    ];
    for (const key of wrong) {
      const refused = await create(key, { amount: 1 });
      expect([refused.status, refused.body.code]).toEqual([401, "invalid_api_key"]);
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(fakes.requests.length).toBe(before);
    const unknown = await create(`pk_test_${random}`, { amount: 1 });
    expect([unknown.status, unknown.body.code, unknown.body.mode]).toEqual([401, "invalid_api_key", undefined]);
    const basic = { authorization: `Basic ${fakes.aKey().key}` };
    expect((await call(checkout, "POST", "/checkout", { body: { amount: 1 }, headers: basic })).status).toBe(401);
  });

  test.each(["0", "-1", "1.005", '"10"', "null", "[]", "{}", "1e-3"])("an amount of %s is refused", async (amount) => {
    const { key } = fakes.aKey();
    const refused = await create(key, `{"amount":${amount}}`);
    expect([refused.status, refused.body.code, refused.body.mode]).toEqual([400, "validation_failed", "test"]);
    expect(refused.body.errors).toMatchObject([{ param: "amount" }]);
  });

  test("payments refuses any amount above the limit", async () => {
    const { key } = fakes.aKey("live");
    for (const amount of ["5000000.01", "1e300"]) {
      const refused = await create(key, `{"amount":${amount}}`);
      expect([refused.status, refused.body.code, refused.body.mode]).toEqual([422, "amount_over_limit", "live"]);
    }
  });

  test("may be called and read from every origin, errors included, unlike all other endpoints", async () => {
    const { key } = fakes.aKey();
    const headers = { origin: "https://shop.example" };
    const allowed = "access-control-allow-origin";
    for (const [given, status] of [
      [key, 201],
      ["x", 401],
    ] as const) {
      const response = await call(checkout, "POST", "/checkout", { key: given, body: { amount: 10 }, headers });
      expect([response.status, response.headers.get(allowed)]).toEqual([status, "*"]);
      expect(response.headers.get("access-control-allow-credentials")).toBe(null);
    }
    const preflight = await call(checkout, "OPTIONS", "/checkout", { headers });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "authorization, content-type",
    });
    const { reference } = await aKnownSession();
    for (const [method, path] of [
      ["GET", `/checkout/${reference}`],
      ["OPTIONS", `/checkout/${reference}`],
      ["POST", `/checkout/${reference}/sent`],
      ["OPTIONS", `/checkout/${reference}/details`],
      ["GET", `/pay/${reference}`],
    ] as const)
      expect((await call(checkout, method, path, { headers })).headers.get(allowed), path).toBe(null);
  });

  test("the caller is warned of what was left out of the session", async () => {
    const { key } = fakes.aKey("live");
    const warnings = [{ param: "redirect_url", code: "return_host_not_allowed", message: "was left out" }];
    fakes.behavior.warnings = warnings;
    const created = await create(key, { amount: 2500, redirect_url: "https://evil.example" });
    fakes.behavior.warnings = [];
    expect([created.status, created.body.warnings]).toEqual([201, warnings]);
  });

  test.each(["short", "with spaces in it", "x".repeat(101)])("a nonce like '%s' is refused", async (client_nonce) => {
    const refused = await create(fakes.aKey().key, { amount: 2500, client_nonce });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ param: "client_nonce" }]]);
  });
});

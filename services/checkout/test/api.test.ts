import { getCheckout, giveCheckoutDetails, openCheckout, reportCheckoutSent } from "@collect/contracts";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  aReference,
  aSession,
  type Checkout,
  call,
  FORM,
  inMinutes,
  type Others,
  openCheckoutWorld,
  paid,
  playOthers,
  startCheckout,
  tell,
} from "./checkout.ts";

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
const ada = { name: "Ada Obi", email: "ada@example.com" };

/** A session that payments knows and has told. */
async function known(given: Parameters<typeof aSession>[0] = {}) {
  const session = aSession(given);
  others.know(session);
  await tell(world, session);
  return session;
}

const asked = (subject: string, reference: string) =>
  others.asked.filter((one) => one.subject === subject && one.input.reference === reference);

describe("GET /checkout/{reference}", () => {
  test("shows what a payer may see, in naira, and nothing else; nobody keeps it", async () => {
    const session = await known();
    const { status, headers, body } = await show(session.reference);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      reference: session.reference,
      status: "pending",
      mode: "test",
      merchant_name: "Ada Stores",
      description: "Order 1001",
      amount: 2500.73,
      amount_requested: 2500,
      amount_received: 0,
      currency: "NGN",
      account_number: "0123456789",
      account_name: "Ada Stores / Collections",
      bank_name: "Test Bank",
      details_required: false,
      expires_at: session.expiresAt,
      server_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      return_url: null,
      poll_after_ms: 3000,
    });
    expect(Math.abs(Date.parse(String(body.server_time)) - Date.now())).toBeLessThan(10_000);
  });

  test("hides the account while details are required, and gives the way back once paid", async () => {
    const anonymous = await known({ detailsRequired: true });
    const hidden = { details_required: true, account_number: null, account_name: null, bank_name: null };
    expect((await show(anonymous.reference)).body).toMatchObject(hidden);
    const session = await known(paid(aSession()));
    expect((await show(session.reference)).body).toMatchObject({
      status: "paid",
      amount_received: 2500.73,
      return_url: `https://shop.example/done?order=1001&reference=${session.reference}#top`,
      poll_after_ms: 60_000,
    });
  });

  test("a session whose time has passed stays what payments says", async () => {
    const session = await known({ status: "processing", expiresAt: inMinutes(-1) });
    expect((await show(session.reference)).body.status).toBe("processing");
  });
});

describe("POST /checkout/{reference}/details", () => {
  const give = (reference: string, body: unknown, type?: string) =>
    call(checkout, "POST", `/checkout/${reference}/details`, { body, type });

  test("shows the account from then on; the same again is safe, other values are refused", async () => {
    const { reference } = await known({ detailsRequired: true });
    const given = await give(reference, { ...ada, mode: "live", extra: 1 });
    expect([given.status, given.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(given.body).toMatchObject({
      reference,
      details_required: false,
      account_number: "0123456789",
      mode: "test",
    });
    expect((await show(reference)).body).toMatchObject({ account_number: "0123456789" });
    expect((await give(reference, "name=+Ada++Obi&email=ada%40example.com", FORM)).status).toBe(200);
    const other = await give(reference, { ...ada, name: "Chidi" });
    expect([other.status, other.body.code]).toEqual([409, "details_already_given"]);
    expect(asked("details", reference)[0]?.input).toEqual({ reference, ...ada });
  });

  test.each([
    ["no name", { email: ada.email }, ["name"]],
    ["an empty name", { name: " ", email: ada.email }, ["name"]],
    ["a name of 101 characters", { name: "x".repeat(101), email: ada.email }, ["name"]],
    ["control characters", { name: "a\u0000b", email: ada.email }, ["name"]],
    ["no email", { name: "Ada" }, ["email"]],
    ["what is no email", { name: "Ada", email: "ada" }, ["email"]],
    ["an endless email", { name: "Ada", email: `${"a".repeat(300)}@example.com` }, ["email"]],
    ["other types", { name: 1, email: ["ada@example.com"] }, ["name", "email"]],
    ["nothing", undefined, ["name", "email"]],
  ])("%s is refused by field, and payments is not asked", async (_what, body, params) => {
    const { reference } = await known({ detailsRequired: true });
    const refused = await give(reference, body);
    expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    expect((refused.body.errors as { param: string }[]).map(({ param }) => param)).toEqual(params);
    expect(asked("details", reference)).toEqual([]);
  });

  test("a session that is not there is not found, and payments is not asked to change it", async () => {
    const reference = aReference();
    for (const path of ["details", "sent"]) {
      const refused = await call(checkout, "POST", `/checkout/${reference}/${path}`, { body: ada });
      expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
    }
    expect([...asked("details", reference), ...asked("sent", reference)]).toEqual([]);
  });
});

test("POST /checkout/{reference}/sent makes it processing, and again changes nothing", async () => {
  const { reference } = await known();
  const sent = () => call(checkout, "POST", `/checkout/${reference}/sent`);
  expect([(await sent()).body.status, (await sent()).body.status]).toEqual(["processing", "processing"]);
  expect((await show(reference)).body.status).toBe("processing");
});

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

describe("the gateway's door", () => {
  const ask: World["others"]["request"] = (...given) => world.others.request(...given);

  test("answers what the public API answers", async () => {
    const { reference } = await known({ detailsRequired: true });
    const [overBus, overHttp] = [await ask(getCheckout, { reference }), (await show(reference)).body];
    expect(overBus).toEqual({ ...overHttp, server_time: expect.any(String) });
    const given = await ask(giveCheckoutDetails, { reference, ...ada });
    expect(given).toMatchObject({ details_required: false, account_number: "0123456789" });
    expect(await ask(reportCheckoutSent, { reference })).toMatchObject({ status: "processing" });
    const { merchant } = others.aKey();
    const opened = await ask(openCheckout, { merchant, amount: 2500, reference: "order-8" });
    expect(opened).toMatchObject({
      created: true,
      checkout: { amount_requested: 2500, merchant_reference: "order-8" },
    });
    const again = await ask(openCheckout, { merchant, amount: 9, reference: "order-8" });
    expect(again).toMatchObject({ created: false, checkout: { reference: opened.checkout.reference } });
  });

  test("refuses what it refuses, in the same words", async () => {
    for (const reference of [aReference(), "nonsense"]) {
      const overHttp = (await show(reference)).body;
      const failure = await ask(getCheckout, { reference }).catch((error) => error);
      expect([failure.code, failure.detail]).toEqual([overHttp.code, overHttp.detail]);
    }
    const { merchant } = others.aKey();
    await expect(ask(openCheckout, { merchant, amount: 1e300 })).rejects.toMatchObject({ code: "amount_over_limit" });
  });
});

describe("bodies and methods", () => {
  test.each([
    ["broken JSON", "{", undefined, 400, "malformed_body"],
    ["an array", "[]", undefined, 400, "malformed_body"],
    ["null", "null", undefined, 400, "malformed_body"],
    ["10,000 arrays inside each other", "[".repeat(10_000) + "]".repeat(10_000), undefined, 400, "malformed_body"],
    ["40 kB", JSON.stringify({ pad: "x".repeat(40_000) }), undefined, 413, "body_too_large"],
    ["40 kB of form", `pad=${"x".repeat(40_000)}`, FORM, 413, "body_too_large"],
    ["another type", "<a/>", "text/xml", 415, "unsupported_media_type"],
    ["an unknown character set", "{}", "application/json; charset=klingon", 415, "unsupported_media_type"],
  ])("%s is refused by every POST, not failed", async (_what, body, type, status, code) => {
    const { reference } = await known({ detailsRequired: true });
    const { key } = others.aKey();
    for (const path of ["/checkout", `/checkout/${reference}/details`, `/checkout/${reference}/sent`]) {
      const refused = await call(checkout, "POST", path, { key, body, type });
      expect([refused.status, refused.body.code], path).toEqual([status, code]);
      expect(refused.headers.get("content-type")).toContain("application/problem+json");
    }
    expect([...asked("details", reference), ...asked("sent", reference)]).toEqual([]);
  });

  test("names that mean something to JavaScript are fields like any other unknown one", async () => {
    const { key } = others.aKey();
    const body = '{"amount":10,"__proto__":{"mode":"live"},"constructor":{"prototype":{}},"toString":1}';
    expect((await call(checkout, "POST", "/checkout", { key, body })).body.mode).toBe("test");
  });

  test.each([
    ["GET", "/checkout", "POST, OPTIONS"],
    ["DELETE", "/checkout", "POST, OPTIONS"],
    ["POST", "/checkout/REF", "GET, HEAD"],
    ["OPTIONS", "/checkout/REF", "GET, HEAD"],
    ["GET", "/checkout/REF/details", "POST"],
    ["PUT", "/checkout/REF/sent", "POST"],
  ])("%s %s is not allowed, and the answer says what is", async (method, path, allow) => {
    const refused = await call(checkout, method, path.replace("REF", aReference()));
    expect([refused.status, refused.body.code, refused.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      allow,
    ]);
  });

  test("any other address is not found", async () => {
    for (const path of ["/", "/checkout/a/b/c", "/favicon.ico"])
      expect((await call(checkout, "GET", path)).status).toBe(404);
  });
});

test("neither keys nor payers stand in the logs or in the database", async () => {
  const lines: object[] = [];
  const keep = (fields: object, message: string) => void lines.push({ ...fields, message });
  const listening = await startCheckout({ ...world, log: { info: keep, warn: keep, error: keep } });
  const { key, merchant } = others.aKey();
  const { reference } = await known({ detailsRequired: true });
  await call(listening, "POST", "/checkout", { key, body: { amount: 10, description: "Secret order" } });
  await call(listening, "POST", "/checkout", { key: `sk_test_${"z".repeat(38)}`, body: "{broken" });
  await call(listening, "POST", `/checkout/${reference}/details`, { body: { name: "Zainab", email: "z@example.com" } });
  await listening.stop();
  const logged = JSON.stringify(lines);
  expect(logged).toContain(merchant.id);
  for (const secret of [key, "zzzz", "Zainab", "z@example.com", "Secret order"]) expect(logged).not.toContain(secret);
  const { rows } = await world.owner.query<{ row: string }>(
    "select v::text as row from session_views v union all select h::text from rate_limit_hits h",
  );
  const stored = rows.map(({ row }) => row).join("\n");
  for (const secret of [key, "Zainab", "z@example.com"]) expect(stored).not.toContain(secret);
});

import { getCheckout, giveCheckoutDetails, openCheckout, reportCheckoutSent } from "@collect/contracts";
import type { World } from "@collect/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aReference, aSession, type Checkout, call, FORM, openCheckoutWorld, startCheckout, tell } from "./checkout.ts";
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

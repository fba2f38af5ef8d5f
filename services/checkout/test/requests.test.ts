import { getCheckout, giveCheckoutDetails, openCheckout, reportCheckoutSent } from "@collect/contracts";
import type { World } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { ADA, aReference, call, FORM } from "./checkout.ts";
import { useCheckout } from "./world.ts";

const { world, fakes, checkout, aKnownSession, requestsOf, show } = await useCheckout();

describe("requests of the gateway", () => {
  const request: World["others"]["request"] = (...given) => world.others.request(...given);

  test("get the same responses as the public API", async () => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const [viaBus, viaHttp] = [await request(getCheckout, { reference }), (await show(reference)).body];
    expect(viaBus).toEqual({ ...viaHttp, server_time: expect.any(String) });
    const given = await request(giveCheckoutDetails, { reference, ...ADA });
    expect(given).toMatchObject({ details_required: false, account_number: "0123456789" });
    expect(await request(reportCheckoutSent, { reference })).toMatchObject({ status: "processing" });
    const { merchant } = fakes.aKey();
    const order = { merchant, amount: 2500, reference: "order-8", client_nonce: "0f8b2c61d4e94c7a" };
    const created = await request(openCheckout, order);
    expect(created).toMatchObject({
      created: true,
      checkout: { amount_requested: 2500, merchant_reference: "order-8" },
    });
    const again = await request(openCheckout, order);
    expect(again).toMatchObject({ created: false, checkout: { reference: created.checkout.reference } });
  });

  test("get the same errors with the same text", async () => {
    for (const reference of [aReference(), "nonsense"]) {
      const viaHttp = (await show(reference)).body;
      const failure = await request(getCheckout, { reference }).catch((error) => error);
      expect([failure.code, failure.detail]).toEqual([viaHttp.code, viaHttp.detail]);
    }
    const { merchant } = fakes.aKey();
    await expect(request(openCheckout, { merchant, amount: 1e300 })).rejects.toMatchObject({
      code: "amount_over_limit",
    });
  });
});

describe("bodies and methods", () => {
  test.each([
    ["broken JSON", "{", undefined, 400, "malformed_body"],
    ["an array", "[]", undefined, 400, "malformed_body"],
    ["null", "null", undefined, 400, "malformed_body"],
    ["10,000 nested arrays", "[".repeat(10_000) + "]".repeat(10_000), undefined, 400, "malformed_body"],
    ["40 kB", JSON.stringify({ pad: "x".repeat(40_000) }), undefined, 413, "body_too_large"],
    ["40 kB of form", `pad=${"x".repeat(40_000)}`, FORM, 413, "body_too_large"],
    ["another type", "<a/>", "text/xml", 415, "unsupported_media_type"],
    ["an unknown character set", "{}", "application/json; charset=klingon", 415, "unsupported_media_type"],
  ])("%s is refused by every POST with a client error", async (_what, body, type, status, code) => {
    const { reference } = await aKnownSession({ detailsRequired: true });
    const { key } = fakes.aKey();
    for (const path of ["/checkout", `/checkout/${reference}/details`, `/checkout/${reference}/sent`]) {
      const refused = await call(checkout, "POST", path, { key, body, type });
      expect([refused.status, refused.body.code], path).toEqual([status, code]);
      expect(refused.headers.get("content-type")).toContain("application/problem+json");
    }
    expect([...requestsOf("details", reference), ...requestsOf("sent", reference)]).toEqual([]);
  });

  test("field names special to JavaScript are ignored like other unknown fields", async () => {
    const { key } = fakes.aKey();
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
  ])("%s %s is not allowed, and the response names the allowed methods", async (method, path, allow) => {
    const refused = await call(checkout, method, path.replace("REF", aReference()));
    expect([refused.status, refused.body.code, refused.headers.get("allow")]).toEqual([
      405,
      "method_not_allowed",
      allow,
    ]);
  });

  test("any other path is not found", async () => {
    for (const path of ["/", "/checkout/a/b/c", "/favicon.ico"])
      expect((await call(checkout, "GET", path)).status).toBe(404);
  });
});

import { expect, test } from "vitest";
import { newApiKey } from "../src/domain/api-key.ts";
import { aRestrictedKey, aShop, call, useGateway, withoutRequestId } from "./gateway.ts";

const { world, gateway } = await useGateway();
const shop = await aShop(world);

test.each([
  ["GET", "/nothing", 404],
  ["POST", "/payments/pay_1/refund", 404],
  ["DELETE", "/payments", 405],
  ["GET", "/payments/crypto", 405],
  ["POST", "/", 405],
] as const)("%s %s says the mode of a recognized key, whatever its kind", async (method, path, status) => {
  const restricted = await aRestrictedKey(world, shop.id, { addresses: ["102.89.0.0/16"] });
  for (const [key, mode] of [
    [shop.sk_test, "test"],
    [shop.sk_live, "live"],
    [shop.pk_test, "test"],
    [restricted, "test"],
  ]) {
    const answer = await call(gateway, method, path, { key });
    expect([answer.status, answer.body.mode, answer.headers.get("cache-control")]).toEqual([status, mode, "no-store"]);
  }
});

test("an unknown or mistyped key gets the same as none, without a mode", async () => {
  const without = withoutRequestId(await call(gateway, "GET", "/nothing"));
  expect([without.status, without.text]).toEqual([404, expect.not.stringContaining("mode")]);
  const unknown = newApiKey({ kind: "secret", mode: "test" }, () => 7);
  for (const key of [unknown, `${shop.sk_test}x`, "sk_test_"])
    expect(withoutRequestId(await call(gateway, "GET", "/nothing", { key }))).toEqual(without);
});

test("reads of unknown URLs count against the budget of reads, so that they are no way around it", async () => {
  const poor = await aShop(world, { reads: 3 });
  const read = async (path: string, key = poor.sk_test) => (await call(gateway, "GET", path, { key })).status;
  expect(await read("/nothing")).toBe(404);
  expect(await read("/payments/crypto")).toBe(405);
  expect((await call(gateway, "POST", "/nothing", { key: poor.sk_test })).status).toBe(404);
  expect(await read("/nothing", poor.pk_test)).toBe(404);
  const last = await call(gateway, "GET", "/nothing", { key: poor.sk_live });
  expect([last.status, last.headers.get("ratelimit")]).toEqual([404, expect.stringMatching(/^"reads";r=0;/)]);
  const refused = await call(gateway, "GET", "/nothing", { key: poor.sk_test });
  expect([refused.status, refused.body.code, refused.body.mode]).toEqual([429, "rate_limited", "test"]);
  expect(await read("/nothing")).toBe(429);
});

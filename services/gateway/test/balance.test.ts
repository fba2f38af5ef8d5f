import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aShop, call, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let gateway: Gateway;
let others: Others;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateway = await startGateway(world);
  others = await playOthers(world);
});
afterAll(async () => {
  await gateway.stop();
  await others.stop();
  await world.close();
});

test("the balance is that of the key's mode, in naira", async () => {
  const shop = await aShop(world);
  for (const [mode, key] of [
    ["test", shop.sk_test],
    ["live", shop.sk_live],
  ] as const) {
    const { status, body, headers } = await call(gateway, "GET", "/balance", { key });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      mode,
      currency: "NGN",
      collected: 2500.73,
      settled: -0.05,
      as_of: "2026-11-21T09:30:00.123+00:00",
      ledger_sequence: 7,
    });
  }
});

test("a call to a service that is not running gets 503, and works once it is back", async () => {
  const { sk_test: key } = await aShop(world);
  await others.stop();
  const down = await call(gateway, "GET", "/balance", { key });
  expect([down.status, down.body.code, down.body.mode]).toEqual([503, "service_unavailable", "test"]);
  others = await playOthers(world);
  expect((await call(gateway, "GET", "/balance", { key })).status).toBe(200);
});

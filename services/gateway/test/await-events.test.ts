import { answer, serveRequests } from "@collect/bus";
import { EventList, listEvents, readLastSequences } from "@collect/contracts";
import { startComponents, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { aRestrictedKey, aShop, call, startGateway, useGateway } from "./gateway.ts";

const { world, gateway } = await useGateway();

/** The length of each merchant's log, and what was asked of webhooks. */
const logs = new Map<string, number>();
const lengthOf = (id: string, mode: string) => logs.get(`${mode}:${id}`) ?? 0;
let looked = 0;
let listed = 0;
afterAll(
  await startComponents([
    serveRequests(world.others, {
      service: "webhooks",
      log: world.log,
      requests: [
        answer(readLastSequences, async ({ mode, merchant_ids }) => {
          looked++;
          return {
            sequences: merchant_ids.map((merchant_id) => ({ merchant_id, sequence: lengthOf(merchant_id, mode) })),
          };
        }),
        answer(listEvents, async ({ merchant, after_sequence, limit }) => {
          listed++;
          const next = Math.max(after_sequence, lengthOf(merchant.id, merchant.mode));
          return { data: [], limit, has_more: false, next, mode: merchant.mode };
        }),
      ],
    }),
  ]),
);

const follow = async (key: string, after: number, wait: number, at = gateway) =>
  EventList.parse((await call(at, "GET", `/events?after_sequence=${after}&wait=${wait}`, { key })).body).next;
const isHeld = (calls: number) => until("the calls are held", async () => looked >= calls);

test("a call is held until its merchant's log goes on, in its mode, and no other call is", async () => {
  const [shop, other] = [await aShop(world), await aShop(world)];
  looked = 0;
  let answered = 0;
  const held = [shop.sk_test, shop.sk_test, shop.sk_live, other.sk_test].map((key) =>
    follow(key, 0, 50).finally(() => answered++),
  );
  await isHeld(8);
  logs.set(`test:${shop.id}`, 3);
  expect(await Promise.all(held.slice(0, 2))).toEqual([3, 3]);
  expect(answered).toBe(2);
  logs.set(`live:${shop.id}`, 1);
  logs.set(`test:${other.id}`, 2);
  expect(await Promise.all(held.slice(2))).toEqual([1, 2]);
});

test("what is there already is returned at once, and after the time the response is empty", async () => {
  const shop = await aShop(world);
  logs.set(`test:${shop.id}`, 5);
  expect(await follow(shop.sk_test, 4, 50)).toBe(5);
  expect(await follow(shop.sk_test, 5, 1)).toBe(5);
});

test("a call that is held counts once against the budget, and an invalid wait is refused by name", async () => {
  const shop = await aShop(world, { reads: 2 });
  expect(await follow(shop.sk_test, 0, 1)).toBe(0);
  for (const wait of ["51", "-1", "x"]) {
    const refused = await call(gateway, "GET", `/events?wait=${wait}`, { key: (await aShop(world)).sk_test });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ param: "wait" }] } });
  }
  const second = await call(gateway, "GET", "/events", { key: shop.sk_test });
  expect(second.status).toBe(200);
  expect((await call(gateway, "GET", "/events?wait=1", { key: shop.sk_test })).status).toBe(429);
});

test("a key that is revoked while its call is held gets nothing more", async () => {
  const shop = await aShop(world);
  const key = await aRestrictedKey(world, shop.id, { scopes: ["events"] });
  looked = 0;
  const held = call(gateway, "GET", "/events?wait=50", { key });
  await isHeld(1);
  await world.owner.query(
    "update api_keys set expires_at = clock_timestamp() where merchant_id = $1 and kind = 'restricted'",
    [shop.id],
  );
  logs.set(`test:${shop.id}`, 1);
  expect(await held).toMatchObject({ status: 401, body: { code: "invalid_api_key" } });
});

test("a misspelt parameter is refused at once", async () => {
  const shop = await aShop(world);
  const refused = await call(gateway, "GET", "/events?wait=50&afer_sequence=1", { key: shop.sk_test });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ param: "afer_sequence" }] } });
});

test("ten calls of a merchant wait in a mode, and the next is refused", async () => {
  const shop = await aShop(world);
  logs.set(`test:${shop.id}`, 0);
  looked = 0;
  const held = Array.from({ length: 10 }, () => follow(shop.sk_test, 0, 50));
  await isHeld(10);
  const refused = await call(gateway, "GET", "/events?wait=50", { key: shop.sk_test });
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  const live = follow(shop.sk_live, 0, 50);
  logs.set(`live:${shop.id}`, 1);
  expect(await live).toBe(1);
  logs.set(`test:${shop.id}`, 1);
  expect(await Promise.all(held)).toEqual(Array(10).fill(1));
});

test("a client that disconnects is forgotten, and a gateway that stops answers what it holds", async () => {
  const shop = await aShop(world);
  const stopped = await startGateway(world);
  looked = 0;
  const gone = new AbortController();
  const url = `${gateway.url}/events?wait=50`;
  const abandoned = fetch(url, { headers: { authorization: `Bearer ${shop.sk_test}` }, signal: gone.signal });
  const held = follow(shop.sk_test, 0, 50, stopped);
  await isHeld(2);
  gone.abort();
  await expect(abandoned).rejects.toThrow();
  await stopped.stop();
  expect(await held).toBe(0);
  const before = listed;
  logs.set(`test:${shop.id}`, 1);
  expect(await follow(shop.sk_test, 0, 50)).toBe(1);
  expect(listed).toBe(before + 1);
});

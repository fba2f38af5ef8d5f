import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, aShop, call, type Gateway, openGatewayWorld, startGateway } from "./gateway.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let gateways: Gateway[];
let gateway: Gateway;
let others: Others;

beforeAll(async () => {
  world = await openGatewayWorld();
  gateways = [await startGateway(world), await startGateway(world), await startGateway(world)];
  gateway = gateways[0] as Gateway;
  others = await playOthers(world);
});
afterAll(async () => {
  for (const each of gateways) await each.stop();
  await others.stop();
  await world.close();
});

const read = (key: string, path = "/balance") => call(gateway, "GET", path, { key });
const create = (key: string, body: unknown = { customer_reference: "c1", customer_name: "Ada" }) =>
  call(gateway, "POST", "/customer_accounts", { key, body });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

/** Moves all calls so far this many minutes into the past. */
async function ago(merchantId: string, minutes: number): Promise<void> {
  await world.owner.query("update rate_limit_cells set minute = this_minute() - $2 where merchant_id = $1", [
    merchantId,
    minutes,
  ]);
}

test("1,000 calls on 3 gateways against a limit of 300 give exactly 300 successes", async () => {
  const { sk_test } = await aShop(world);
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      call(gateways[n % 3] as Gateway, "POST", "/customer_accounts", {
        key: sk_test,
        body: { customer_reference: `c${n % 50}`, customer_name: "Ada" },
      }),
    ),
  );
  const succeeded = answers.filter(({ status }) => status === 200 || status === 201);
  const refused = answers.filter(({ status }) => status === 429);
  expect([succeeded.length, refused.length]).toEqual([300, 700]);
  expect(refused.every(({ headers }) => /^"accounts";r=0;t=\d+$/.test(headers.get("ratelimit") ?? ""))).toBe(true);
  const left = succeeded.map(({ headers }) => Number(/;r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]));
  expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, n) => n));
});

test("each counted response has the policy and the remaining budget, and a refusal has Retry-After", async () => {
  const { sk_test } = await aShop(world, { accounts: 1 });
  const first = await create(sk_test);
  expect(first.status).toBe(201);
  expect(first.headers.get("ratelimit-policy")).toBe('"accounts";q=1;w=3600');
  expect(first.headers.get("ratelimit")).toMatch(/^"accounts";r=0;t=3[56]\d\d$/);
  expect(first.headers.get("retry-after")).toBeNull();
  const refused = await create(sk_test);
  expect([refused.status, refused.body.code, refused.body.mode]).toEqual([429, "rate_limited", "test"]);
  expect(refused.headers.get("ratelimit")).toBe(`"accounts";r=0;t=${refused.headers.get("retry-after")}`);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_500);
  const uncounted = await call(gateway, "POST", "/customer_accounts/c1/simulate_payment", {
    key: sk_test,
    body: { outcome: "paid", amount: 1 },
  });
  expect([uncounted.status, uncounted.headers.get("ratelimit")]).toEqual([200, null]);
});

test("the defaults are 300 and 600 calls an hour", async () => {
  const { sk_test } = await aShop(world);
  expect((await create(sk_test)).headers.get("ratelimit-policy")).toBe('"accounts";q=300;w=3600');
  expect((await read(sk_test)).headers.get("ratelimit-policy")).toBe('"reads";q=600;w=3600');
});

test("both modes, all keys and all routes of a kind share one budget; kinds and merchants have separate ones", async () => {
  const shop = await aShop(world, { reads: 4, accounts: 1 });
  const calls = [
    await read(shop.sk_test),
    await read(shop.sk_live),
    await read(shop.sk_live, "/customer_accounts"),
    await read(shop.sk_test, "/customer_accounts/nobody"),
    await read(shop.sk_live),
    await read(shop.sk_test, "/customer_accounts"),
    await create(shop.sk_test),
    await read((await aShop(world, { reads: 1 })).sk_test),
  ];
  expect(statuses(calls)).toEqual([200, 200, 200, 404, 429, 429, 201, 200]);
});

test("every authenticated call counts, successful or not; those that get 429 or 401 or use a public key do not", async () => {
  const shop = await aShop(world, { accounts: 2 });
  for (const key of [shop.pk_test, shop.pk_live, "nonsense"]) expect((await create(key)).status).toBe(401);
  const bad = [await create(shop.sk_test, {}), await create(shop.sk_test, "{broken")];
  expect(statuses(bad)).toEqual([400, 400]);
  expect(statuses([await create(shop.sk_test), await create(shop.sk_test)])).toEqual([429, 429]);
  const { rows } = await world.owner.query("select total(counts) from rate_limit_cells where merchant_id = $1", [
    shop.id,
  ]);
  expect(rows).toEqual([{ total: 2n }]);
});

test("the window slides: calls count for 60 minutes and expire after 61", async () => {
  const shop = await aShop(world, { reads: 3 });
  expect(statuses([await read(shop.sk_test), await read(shop.sk_test)])).toEqual([200, 200]);
  await ago(shop.id, 30);
  expect(statuses([await read(shop.sk_test), await read(shop.sk_test)])).toEqual([200, 429]);
  // The two old calls are 59 minutes old now, the third 29.
  await ago(shop.id, 29);
  const refused = await read(shop.sk_test);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(120);
  await ago(shop.id, 31);
  expect(statuses([await read(shop.sk_test), await read(shop.sk_test), await read(shop.sk_test)])).toEqual([
    200, 200, 429,
  ]);
  await ago(shop.id, 10_000);
  expect(statuses([await read(shop.sk_test)])).toEqual([200]);
});

test("a call stops counting exactly when its minute is 61 minutes ago", async () => {
  const counts = Array.from({ length: 61 }, (_, n) => n + 1);
  const { rows } = await world.owner.query(
    "select total(slid($1, 0)) as a, total(slid($1, 1)) as b, total(slid($1, 60)) as c, total(slid($1, 61)) as d, total(slid($1, 9999)) as e",
    [counts],
  );
  expect(rows).toEqual([{ a: 1_891n, b: 1_830n, c: 1n, d: 0n, e: 0n }]);
});

test("a clock that is set back loses no counts and allows no additional calls", async () => {
  const shop = await aShop(world, { reads: 2 });
  expect(statuses([await read(shop.sk_test)])).toEqual([200]);
  await ago(shop.id, -90);
  expect(statuses([await read(shop.sk_test), await read(shop.sk_test)])).toEqual([200, 429]);
});

import type { World } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aReference, aSession, type Checkout, call, openCheckoutWorld, startCheckout, tell } from "./checkout.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let replicas: [Checkout, Checkout];
let others: Others;

beforeAll(async () => {
  world = await openCheckoutWorld();
  others = await playOthers(world);
  replicas = [await startCheckout(world), await startCheckout(world)];
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await others.stop();
  await world.close();
});

type Call = Parameters<typeof call>[3];
/** So many calls at once, by turns on both replicas: how many were answered with each status. */
async function crowd(count: number, method: string, path: string, how?: Call): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => call(replicas[index % 2 === 0 ? 0 : 1], method, path, how)),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function known() {
  const session = aSession();
  others.know(session);
  await tell(world, session);
  return session.reference;
}

test("a reference is read 240 times a minute, to the call, across replicas and by API and page together", async () => {
  const reference = await known();
  const [api, page] = await Promise.all([
    crowd(200, "GET", `/checkout/${reference}`),
    crowd(60, "GET", `/pay/${reference}`),
  ]);
  expect([(api[200] ?? 0) + (page[200] ?? 0), (api[429] ?? 0) + (page[429] ?? 0)]).toEqual([240, 20]);
  expect(await crowd(1, "GET", `/checkout/${await known()}`)).toEqual({ 200: 1 });
});

test.each([
  ["details", { name: "Ada", email: "ada@example.com" }],
  ["sent", {}],
])("%s are taken 20 times a minute, to the call, with a budget of their own", async (what, body) => {
  const reference = await known();
  expect(await crowd(30, "POST", `/checkout/${reference}/${what}`, { body })).toEqual({ 200: 20, 429: 10 });
  expect(await crowd(1, "GET", `/checkout/${reference}`)).toEqual({ 200: 1 });
});

test("a merchant's public key opens 600 sessions a minute, whatever comes of them, and another merchant's its own", async () => {
  const { key } = others.aKey();
  expect(await crowd(620, "POST", "/checkout", { key, body: { amount: 0 } })).toEqual({ 400: 600, 429: 20 });
  const refused = await call(replicas[0], "POST", "/checkout", { key, body: { amount: 1 } });
  expect(refused.body).toMatchObject({ status: 429, code: "rate_limited", mode: "test" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit")).toMatch(/^"openings"; r=0; t=\d+/);
  expect(refused.headers.get("ratelimit-policy")).toMatch(/^"openings"; q=600; w=60/);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  expect(await crowd(1, "POST", "/checkout", { key: others.aKey().key, body: { amount: 1 } })).toEqual({ 201: 1 });
});

test("what is refused before it is known who calls is not counted", async () => {
  await crowd(5, "POST", "/checkout", { key: "nonsense", body: {} });
  const malformed = `${aReference()}x`;
  await crowd(5, "GET", `/checkout/${malformed}`);
  await crowd(5, "POST", `/pay/${malformed}/simulate`, { body: { outcome: "paid" } });
  const { rows } = await world.owner.query("select key from rate_limit_hits where key like any($1)", [
    ["%nonsense", `%${malformed}`],
  ]);
  expect(rows).toEqual([]);
});

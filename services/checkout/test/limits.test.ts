import { createHash } from "node:crypto";
import { getCheckout, giveCheckoutDetails, reportCheckoutSent } from "@collect/contracts";
import { afterAll, expect, test } from "vitest";
import { aReference, call, startCheckout } from "./checkout.ts";
import { useFakeServices } from "./world.ts";

const { world, fakes, aKnownSession } = await useFakeServices();
const behindProxy = { proxies: "1" };
const replicas = [await startCheckout(world, behindProxy), await startCheckout(world, behindProxy)] as const;
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
});

type Call = Parameters<typeof call>[3];
/** Concurrent calls, alternating between the replicas: how many got each status. */
async function callMany(count: number, method: string, path: string, how?: Call): Promise<Record<number, number>> {
  const results = await Promise.all(
    Array.from({ length: count }, (_, index) => call(replicas[index % 2 === 0 ? 0 : 1], method, path, how)),
  );
  const counts: Record<number, number> = {};
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The same as requests of the gateway. */
async function requestMany(count: number, request: () => Promise<unknown>): Promise<Record<number, number>> {
  const results = await Promise.allSettled(Array.from({ length: count }, request));
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  for (const reason of refused) expect(reason).toMatchObject({ code: "rate_limited", retryAfterS: expect.any(Number) });
  return { 200: count - refused.length, 429: refused.length };
}

const aKnownReference = async () => (await aKnownSession()).reference;

test("a reference can be read exactly 240 times a minute, across replicas and by API, page and gateway together", async () => {
  const reference = await aKnownReference();
  const [api, page, gateway] = await Promise.all([
    callMany(150, "GET", `/checkout/${reference}`),
    callMany(60, "GET", `/pay/${reference}`),
    requestMany(50, () => world.others.request(getCheckout, { reference })),
  ]);
  const sum = (status: number) => [api, page, gateway].reduce((total, counts) => total + (counts[status] ?? 0), 0);
  expect([sum(200), sum(429)]).toEqual([240, 20]);
  expect(await callMany(1, "GET", `/checkout/${await aKnownReference()}`)).toEqual({ 200: 1 });
});

test.each([
  ["details", { name: "Ada", email: "ada@example.com" }],
  ["sent", {}],
])("%s are accepted exactly 20 times a minute, with their own budget", async (what, body) => {
  const reference = await aKnownReference();
  expect(await callMany(30, "POST", `/checkout/${reference}/${what}`, { body })).toEqual({ 200: 20, 429: 10 });
  const viaGateway = () =>
    what === "sent"
      ? world.others.request(reportCheckoutSent, { reference })
      : world.others.request(giveCheckoutDetails, { reference, name: "Ada", email: "ada@example.com" });
  expect(await requestMany(3, viaGateway)).toEqual({ 200: 0, 429: 3 });
  expect(await callMany(1, "GET", `/checkout/${reference}`)).toEqual({ 200: 1 });
});

test("one client can make 3,000 calls a minute with a public key, failed ones included, and spends nobody else's", async () => {
  const { key, merchant } = fakes.aKey();
  await world.owner.query(
    "insert into rate_limit_hits (key, hits, resets_at) values ($1, 2995, clock_timestamp() + interval '1 minute')",
    [`openings:${merchant.id} 127.0.0.1`],
  );
  expect(await callMany(10, "POST", "/checkout", { key, body: { amount: 0 } })).toEqual({ 400: 5, 429: 5 });
  const refused = await call(replicas[0], "POST", "/checkout", { key, body: { amount: 1 } });
  expect(refused.body).toMatchObject({ status: 429, code: "rate_limited", mode: "test" });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.headers.get("ratelimit")).toMatch(/^"openings"; r=0; t=\d+/);
  expect(refused.headers.get("ratelimit-policy")).toMatch(/^"openings"; q=3000; w=60/);
  expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  const headers = { "x-forwarded-for": "203.0.113.7" };
  expect(await callMany(1, "POST", "/checkout", { key, body: { amount: 1 }, headers })).toEqual({ 201: 1 });
  expect(await callMany(1, "POST", "/checkout", { key: fakes.aKey().key, body: { amount: 1 } })).toEqual({ 201: 1 });
});

test("one client can ask for 300 logos a minute, unknown ones included, and spends nobody else's", async () => {
  const bytes = Buffer.from("a logo");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  fakes.logos.set(sha256, { type: "image/png", data: bytes.toString("base64") });
  const guessed = (n: number) => `/logos/${n.toString(16).padStart(64, "0")}`;
  await callMany(5, "GET", "/logos/nonsense");
  await world.owner.query(
    "insert into rate_limit_hits (key, hits, resets_at) values ($1, 294, clock_timestamp() + interval '1 minute')",
    ["logo_reads:127.0.0.1"],
  );
  for (const n of [1, 2, 3]) expect(await callMany(1, "GET", guessed(n))).toEqual({ 404: 1 });
  expect(await callMany(5, "GET", `/logos/${sha256}`)).toEqual({ 200: 3, 429: 2 });
  const refused = await call(replicas[0], "GET", guessed(4));
  expect(refused.body).toMatchObject({ status: 429, code: "rate_limited" });
  expect(refused.headers.get("cache-control")).toBe("no-store");
  expect(fakes.requests.filter(({ subject }) => subject === "logo").length).toBeLessThanOrEqual(5);
  const headers = { "x-forwarded-for": "203.0.113.7" };
  expect(await callMany(1, "GET", `/logos/${sha256}`, { headers })).toEqual({ 200: 1 });
});

test("calls that are refused before the caller is known are not counted", async () => {
  await callMany(5, "POST", "/checkout", { key: "nonsense", body: {} });
  const malformed = `${aReference()}x`;
  await callMany(5, "GET", `/checkout/${malformed}`);
  await callMany(5, "POST", `/pay/${malformed}/simulate`, { body: { outcome: "paid" } });
  const { rows } = await world.owner.query("select key from rate_limit_hits where key like any($1)", [
    ["%nonsense", `%${malformed}`],
  ]);
  expect(rows).toEqual([]);
});

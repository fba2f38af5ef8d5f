import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPool, KEY_LOOKUPS_ONLY, type Pool } from "@collect/database";
import { type Component, createLogger } from "@collect/runtime";
import { type PostgresServer, startPostgres } from "@collect/servers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpApp, deleteExpiredRateLimits, httpServer, limitRate } from "../src/index.ts";

const log = createLogger("http", "silent");
let directory: string;
let postgres: PostgresServer;
let pool: Pool;
let replicas: { component: Component; url: string }[];
let unreachable: Pool;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "collect-limits-"));
  postgres = await startPostgres({ directory, port: 0, settings: { fsync: "off" } });
  pool = createPool({
    url: postgres.url,
    service: "test",
    log,
    settings: [...KEY_LOOKUPS_ONLY, "synchronous_commit=off"],
  });
  await pool.query(`create unlogged table rate_limit_hits (
    key text primary key, hits integer not null check (hits > 0), resets_at timestamptz(3) not null) with (fillfactor = 50)`);
  await pool.query("create index rate_limit_hits_resets_at_idx on rate_limit_hits (resets_at)");
  unreachable = createPool({ url: "postgres://nobody@127.0.0.1:1/nothing", service: "test", log });
  replicas = [await aReplica(), await aReplica()];
});
afterAll(async () => {
  for (const { component } of replicas) await component.stop();
  await Promise.all([pool.end(), unreachable.end()]);
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function aReplica() {
  const limit = (name: string, on = pool) =>
    limitRate(on, { name, limit: 20, windowMs: 60_000, key: (request) => String(request.params.key) });
  const component = httpServer({
    host: "127.0.0.1",
    port: 0,
    log,
    app: createHttpApp({
      log,
      routes: (app) => {
        app.get("/a/:key", limit("a"), (_request, response) => void response.json({}));
        app.get("/b/:key", limit("b"), (_request, response) => void response.json({}));
        app.get("/down/:key", limit("down", unreachable), (_request, response) => void response.json({}));
      },
    }),
  });
  await component.start();
  return { component, url: `http://127.0.0.1:${(component.server.address() as AddressInfo).port}` };
}

const call = (path: string, replica = 0) => fetch(`${replicas[replica]?.url}${path}`);
const countStatus = (statuses: number[], status: number) => statuses.filter((given) => given === status).length;

test("of concurrent calls on two replicas, exactly as many succeed as the limit allows", async () => {
  const calls = await Promise.all(Array.from({ length: 50 }, (_, index) => call("/a/crowd", index % 2)));
  const statuses = calls.map(({ status }) => status);
  expect([countStatus(statuses, 200), countStatus(statuses, 429)]).toEqual([20, 30]);
});

test("a refusal has Retry-After, and each response has the remaining budget in the fields of draft 8", async () => {
  const first = await call("/a/headers");
  expect(first.headers.get("ratelimit-policy")).toMatch(/^"a"; q=20; w=60/);
  expect(first.headers.get("ratelimit")).toMatch(/^"a"; r=19; t=60/);
  await Promise.all(Array.from({ length: 19 }, () => call("/a/headers")));
  const refused = await call("/a/headers", 1);
  expect(await refused.json()).toMatchObject({ status: 429, code: "rate_limited" });
  expect(refused.headers.get("content-type")).toContain("application/problem+json");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(50);
  expect(refused.headers.get("ratelimit")).toMatch(/^"a"; r=0; t=\d+/);
});

test("other keys and budgets are unaffected, and a new window starts at zero", async () => {
  await Promise.all(Array.from({ length: 21 }, () => call("/a/spent")));
  expect((await call("/a/spent")).status).toBe(429);
  expect((await call("/a/other")).status).toBe(200);
  expect((await call("/b/spent")).status).toBe(200);
  await pool.query("update rate_limit_hits set resets_at = clock_timestamp() where key = 'a:spent'");
  const again = await call("/a/spent");
  expect([again.status, again.headers.get("ratelimit")?.slice(0, 9)]).toEqual([200, '"a"; r=19']);
});

test("a call that cannot be counted is answered with 503, neither allowed nor failed with 500", async () => {
  const refused = await call("/down/x");
  expect(await refused.json()).toMatchObject({ status: 503, code: "service_unavailable" });
});

test("expired windows are deleted, however many, and current ones stay", async () => {
  await pool.query(`insert into rate_limit_hits
    select 'old:' || n, 1, clock_timestamp() - interval '1 s' from generate_series(1, 2500) as n`);
  await call("/b/running");
  const cleaner = deleteExpiredRateLimits(pool, { log, everyMs: 1 });
  await cleaner.start();
  await expect
    .poll(async () => (await pool.query("select from rate_limit_hits where key like 'old:%'")).rowCount, {
      timeout: 30_000,
    })
    .toBe(0);
  await cleaner.stop();
  expect((await pool.query("select from rate_limit_hits where key = 'b:running'")).rowCount).toBe(1);
});

import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createLogger } from "@collect/runtime";
import type { Request, Response } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, createHttpApp, httpServer, limitConcurrency } from "../src/index.ts";

const log = createLogger("http", "silent");
const CONCURRENT_MAX = 4;
const QUEUE_MAX = 100;
/** Admitted test calls without a response yet, and their maximum number. */
const admitted: Response[] = [];
let inProgress = 0;
let most = 0;

const waiting = { queueMax: QUEUE_MAX, waitMaxMs: 60_000 };
let callers = 0;
/** Every call is from another merchant; the limiter's own test covers the share of one merchant. */
const callerOf = ({ headers }: Request): Caller => ({
  mode: headers["x-mode"] === "test" ? "test" : "live",
  merchantId: `mer_${callers++}`,
});
const limited = limitConcurrency(callerOf, {
  live: { ...waiting, concurrentMax: 100 },
  test: { ...waiting, concurrentMax: CONCURRENT_MAX },
});
const server = httpServer({
  host: "127.0.0.1",
  port: 0,
  log,
  app: createHttpApp({
    log,
    routes: (app) => {
      const handler = async (request: Request, response: Response) => {
        if (request.get("x-mode") === "live") return void response.end();
        most = Math.max(most, ++inProgress);
        admitted.push(response);
        await once(response, "close");
        inProgress--;
      };
      app.get("/", limited(handler));
    },
  }),
});
beforeAll(() => server.start());
afterAll(() => server.stop());

function fetchWithMode(mode: string, signal: AbortSignal | null = null): ReturnType<typeof fetch> {
  const { port } = server.server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`, { headers: { "x-mode": mode }, signal });
}

const call = (mode: string) => fetchWithMode(mode).then(({ status }) => status);

test("a flood of test calls is served a few at a time, and does not delay live calls", async () => {
  const flood = Array.from({ length: QUEUE_MAX }, () => call("test"));
  await expect.poll(() => admitted.length).toBe(CONCURRENT_MAX);
  for (let n = 0; n < 20; n++) expect(await call("live")).toBe(200);
  expect(admitted).toHaveLength(CONCURRENT_MAX);
  for (let answered = 0; answered < QUEUE_MAX; answered++) {
    await expect.poll(() => admitted.length).toBeGreaterThan(0);
    admitted.shift()?.end();
  }
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
  expect(most).toBe(CONCURRENT_MAX);
});

test("a mode with a full queue is refused and the other is not, and disconnected callers release their slots", async () => {
  const gone = new AbortController();
  let refused = 0;
  const flood = Array.from({ length: CONCURRENT_MAX + QUEUE_MAX + 5 }, async () => {
    const answer = await fetchWithMode("test", gone.signal).catch(() => undefined);
    if (answer?.status === 503 && answer.headers.get("retry-after") === "1") refused++;
  });
  await expect.poll(() => refused).toBe(5);
  expect(await call("live")).toBe(200);
  gone.abort();
  await Promise.all(flood);
  await expect.poll(() => inProgress).toBe(0);
  admitted.length = 0;
  const next = call("test");
  await expect.poll(() => admitted.length).toBe(1);
  admitted[0]?.end();
  expect(await next).toBe(200);
});

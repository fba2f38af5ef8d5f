import { type AddressInfo, connect } from "node:net";
import { createLogger } from "@collect/runtime";
import type { Request, Response } from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, createHttpApp, httpServer, limitConcurrency, readBody } from "../src/index.ts";

const log = createLogger("http", "silent");
const AT_ONCE = 4;
const QUEUE_MAX = 100;
/** Calls of test mode that were let through and are not answered yet, and the most there were at once. */
const held: Response[] = [];
let inHand = 0;
let most = 0;

const waiting = { queueMax: QUEUE_MAX, waitMaxMs: 60_000 };
let callers = 0;
/** Every call is another merchant's: what one of them may have is the limiter's test. */
const callerOf = ({ headers }: Request): Caller => ({
  mode: headers["x-mode"] === "test" ? "test" : "live",
  merchantId: `mer_${callers++}`,
});
const limited = limitConcurrency(callerOf, {
  live: { ...waiting, atOnce: 100 },
  test: { ...waiting, atOnce: AT_ONCE },
});
const server = httpServer({
  host: "127.0.0.1",
  port: 0,
  log,
  app: createHttpApp({
    log,
    routes: (app) => {
      app.get("/", limited, (request: Request, response: Response) => {
        if (request.get("x-mode") === "live") return void response.end();
        most = Math.max(most, ++inHand);
        response.once("close", () => inHand--);
        held.push(response);
      });
    },
  }),
});
beforeAll(() => server.start());
afterAll(() => server.stop());

function ask(mode: string, signal: AbortSignal | null = null): ReturnType<typeof fetch> {
  const { port } = server.server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`, { headers: { "x-mode": mode }, signal });
}

const call = (mode: string) => ask(mode).then(({ status }) => status);

test("a flood of test calls takes turns, a few in hand at a time, and no live call waits for it", async () => {
  const flood = Array.from({ length: QUEUE_MAX }, () => call("test"));
  await expect.poll(() => held.length).toBe(AT_ONCE);
  for (let n = 0; n < 20; n++) expect(await call("live")).toBe(200);
  expect(held).toHaveLength(AT_ONCE);
  for (let answered = 0; answered < QUEUE_MAX; answered++) {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.end();
  }
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
  expect(most).toBe(AT_ONCE);
});

test("above its queue a mode is refused and the other is not, and callers who go away leave their turn to the next", async () => {
  const gone = new AbortController();
  let refused = 0;
  const flood = Array.from({ length: AT_ONCE + QUEUE_MAX + 5 }, async () => {
    const answer = await ask("test", gone.signal).catch(() => undefined);
    if (answer?.status === 503 && answer.headers.get("retry-after") === "1") refused++;
  });
  await expect.poll(() => refused).toBe(5);
  expect(await call("live")).toBe(200);
  gone.abort();
  await Promise.all(flood);
  await expect.poll(() => inHand).toBe(0);
  held.length = 0;
  const next = call("test");
  await expect.poll(() => held.length).toBe(1);
  held[0]?.end();
  expect(await next).toBe(200);
});

test("callers who send half a body and never hang up lose their turns", async () => {
  let turns = 0;
  const one = limitConcurrency(() => ({ mode: "test", merchantId: "mer_1" }), {
    live: { ...waiting, atOnce: 1 },
    test: { ...waiting, atOnce: 1 },
  });
  const slow = httpServer({
    host: "127.0.0.1",
    port: 0,
    log,
    requestTimeoutMs: 500,
    app: createHttpApp({
      log,
      routes: (app) => {
        const count = (_request: Request, _response: Response, next: () => void) => {
          turns++;
          next();
        };
        app.post("/", one, count, readBody({ maxBytes: 100 }), (_request: Request, response: Response) => {
          response.end();
        });
      },
    }),
  });
  await slow.start();
  const { port } = slow.server.address() as AddressInfo;
  // Never reads, so it never learns that the other side has hung up.
  const dripping = connect(port, "127.0.0.1").on("error", () => {});
  dripping.write("POST / HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{");
  await expect.poll(() => turns).toBe(1);
  const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: "POST" });
  expect(status).toBe(200);
  dripping.destroy();
  await slow.stop();
});

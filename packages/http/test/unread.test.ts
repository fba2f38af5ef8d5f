import { type AddressInfo, connect, type Socket } from "node:net";
import { createLogger } from "@collect/runtime";
import { afterEach, expect, test } from "vitest";
import { createHttpApp, httpServer, limitConcurrency } from "../src/index.ts";

const log = createLogger("http", "silent");
/** More than what a connection whose client reads nothing can take. */
const LONG = "x".repeat(16 * 1024 * 1024);
const UNREAD_MAX = 32;

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** A server with one slot a mode. `/long` is longer than what any buffer holds; `/slow` is answered by `finishSlow`. */
async function startServer({ unreadMaxMs = 60_000 } = {}) {
  let answered = 0;
  let finishSlow: (() => void) | undefined;
  const one = { concurrentMax: 1, queueMax: 1_000, waitMaxMs: 5_000 };
  const limited = limitConcurrency(({ headers }) => ({ mode: "test", merchantId: String(headers["x-merchant"]) }), {
    live: one,
    test: one,
  });
  const server = httpServer({
    ...{ host: "127.0.0.1", port: 0, log, unreadMaxMs },
    app: createHttpApp({
      log,
      routes: (app) => {
        app.get(
          "/long",
          limited(async (_request, response) => {
            response.send(LONG);
            answered++;
          }),
        );
        app.get(
          "/short",
          limited(async (_request, response) => void response.send("short")),
        );
        app.get("/slow", (_request, response) => {
          finishSlow = () => response.send("slow");
        });
      },
    }),
  });
  await server.start();
  ended.push(() => server.stop());
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    answered: () => answered,
    isMaking: () => finishSlow !== undefined,
    finishSlow: () => finishSlow?.(),
    connections: () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count))),
    get: async (path: string, merchant: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-merchant": merchant } });
      return { status: response.status, body: await response.text() };
    },
  };
}

/** Asks, and never reads. */
function askUnread(port: number, path: string, merchant: string): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\nX-Merchant: ${merchant}\r\n\r\n`);
  ended.push(() => socket.destroy());
  return socket;
}

test("responses that nobody reads occupy no slot", async () => {
  const { port, get, answered } = await startServer();
  for (let n = 0; n < 5; n++) askUnread(port, "/long", "mer_a");
  await expect.poll(answered).toBe(5);
  expect(await get("/short", "mer_a")).toEqual({ status: 200, body: "short" });
  expect(await get("/short", "mer_b")).toEqual({ status: 200, body: "short" });
});

test("a merchant that reads none of its responses makes no more calls until it does, and others go on", async () => {
  const { port, get, answered } = await startServer();
  const unread = Array.from({ length: UNREAD_MAX }, () => askUnread(port, "/long", "mer_a"));
  await expect.poll(answered).toBe(UNREAD_MAX);
  const refused = await get("/short", "mer_a");
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.body)).toMatchObject({ code: "rate_limited" });
  expect((await get("/short", "mer_b")).status).toBe(200);
  unread[0]?.resume();
  await expect.poll(async () => (await get("/short", "mer_a")).status).toBe(200);
});

test("a client that reads nothing is disconnected, and one whose response is being made is not", async () => {
  const { port, get, answered, isMaking, finishSlow, connections } = await startServer({ unreadMaxMs: 300 });
  const slow = get("/slow", "mer_b");
  await expect.poll(isMaking).toBe(true);
  // It begins to wait after the other, and has waited for as long when it is disconnected.
  askUnread(port, "/long", "mer_a");
  await expect.poll(answered).toBe(1);
  await expect.poll(connections).toBe(1);
  finishSlow();
  expect(await slow).toEqual({ status: 200, body: "slow" });
});

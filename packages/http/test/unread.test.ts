import { type AddressInfo, connect, type Socket } from "node:net";
import { createLogger } from "@collect/runtime";
import { afterEach, expect, test } from "vitest";
import { createHttpApp, httpServer, limitConcurrency } from "../src/index.ts";

const log = createLogger("http", "silent");
/** More than what a connection whose client reads nothing can take; two are more than one merchant may leave unread, eleven more than all may. */
const LONG = "x".repeat(6 * 1024 ** 2);
const OF_ALL_MAX = 10;

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** `/long` is answered once `open` is called, `/held` never. */
async function startServer({ unreadMaxMs = 60_000, concurrentMax = 1 } = {}) {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const seen = { asked: 0, answered: 0 };
  const calls = { concurrentMax, queueMax: 1_000, waitMaxMs: 5_000 };
  const limited = limitConcurrency(({ headers }) => ({ mode: "test", merchantId: String(headers["x-merchant"]) }), {
    live: calls,
    test: calls,
  });
  const long = limited(async (_request, response) => {
    seen.asked++;
    await opened;
    response.send(LONG);
    seen.answered++;
  });
  const server = httpServer({
    ...{ host: "127.0.0.1", port: 0, log, unreadMaxMs },
    app: createHttpApp({
      log,
      routes: (app) => {
        app.get("/long", long);
        app.get(
          "/short",
          limited(async (_request, response) => void response.send("short")),
        );
        app.get("/held", () => {});
      },
    }),
  });
  await server.start();
  ended.push(() => server.stop());
  const { port } = server.server.address() as AddressInfo;
  return {
    ...{ port, seen, open },
    connections: () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count))),
    statusOf: async (path: string, merchant: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { "x-merchant": merchant, connection: "close" },
      });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

/** Asks for each, and never reads. */
function askUnread(port: number, merchant: string, paths = ["/long"]): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.pause();
  for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\nX-Merchant: ${merchant}\r\n\r\n`);
  ended.push(() => socket.destroy());
  return socket;
}

test("unread responses occupy no slot", async () => {
  const { port, open, statusOf, seen } = await startServer();
  open();
  for (let n = 0; n < 5; n++) askUnread(port, `mer_${n}`);
  await expect.poll(() => seen.answered).toBe(5);
  expect(await statusOf("/short", "mer_b")).toBe(200);
});

test("a merchant that does not read makes no more calls until it does, and others go on", async () => {
  const { port, open, statusOf, seen } = await startServer();
  open();
  const unread = askUnread(port, "mer_a");
  await expect.poll(() => seen.answered).toBe(1);
  expect(await statusOf("/short", "mer_a")).toBe(429);
  expect(await statusOf("/short", "mer_b")).toBe(200);
  unread.resume();
  await expect.poll(() => statusOf("/short", "mer_a")).toBe(200);
});

test("of calls that were admitted at once no merchant, and not all of them, leave more unread than there is room for", async () => {
  const { port, open, connections, seen } = await startServer({ concurrentMax: 100 });
  for (let n = 0; n < 2; n++) askUnread(port, "mer_a");
  for (let n = 0; n < 2 * OF_ALL_MAX; n++) askUnread(port, `mer_${n}`);
  await expect.poll(() => seen.asked).toBe(2 + 2 * OF_ALL_MAX);
  open();
  await expect.poll(connections).toBe(OF_ALL_MAX);
});

test("what waits behind another response of its connection counts until the connection is closed", async () => {
  const { port, open, statusOf, seen } = await startServer();
  open();
  const pipelining = askUnread(port, "mer_a", ["/held", "/long"]);
  await expect.poll(() => seen.answered).toBe(1);
  expect(await statusOf("/short", "mer_a")).toBe(429);
  pipelining.destroy();
  await expect.poll(() => statusOf("/short", "mer_a")).toBe(200);
});

test("a client that reads nothing is disconnected, and one whose response is being made is not", async () => {
  const { port, open, seen, connections } = await startServer({ unreadMaxMs: 300 });
  open();
  askUnread(port, "mer_b", ["/held"]);
  await expect.poll(connections).toBe(1);
  askUnread(port, "mer_a");
  await expect.poll(() => seen.answered).toBe(1);
  // The other one has waited for longer.
  await expect.poll(connections).toBe(1);
});

import { connect, type Socket } from "node:net";
import { browseCollections } from "@collect/contracts";
import { createHttpApp, httpServer } from "@collect/http";
import { freePort } from "@collect/servers";
import { startComponents, until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { createExportSlots } from "../src/http/export-slots.ts";
import { createExports } from "../src/http/list-export.ts";
import { READ_LIMITS, type ReadLimits } from "../src/http/write-file.ts";
import { playCollections } from "./collections.ts";
import { aMember } from "./dashboard.ts";
import { useDashboard } from "./world.ts";

const { world, dashboard, others } = await useDashboard();
const viewer = await aMember(world, dashboard, { merchantId: "mer_csv", role: "finance" });
beforeEach(() => {
  others.asked.length = 0;
});

const ROWS = 100_000;

const PAGE = 500;

const base = "/api/m/mer_csv/live";

/** Exports by themselves, with short times: what is read goes on for ever. */
async function startExports(times: { limits?: ReadLimits; checkMs?: number }, format: "csv" | "xlsx" = "csv") {
  const port = await freePort();
  const exportRows = createExports(createExportSlots(), times);
  const state = { pages: 0, mayStill: true };
  const filler = "x".repeat(2_000);
  const readPage = async () => {
    state.pages++;
    return { data: Array.from({ length: PAGE }, () => ({ name: filler })), next: "1" };
  };
  const app = createHttpApp({
    log: world.log,
    routes: (app) =>
      app.get("/list/:merchant/:user", (request, response) =>
        exportRows(response, {
          format,
          rows: z.object({ name: z.string() }),
          name: "list",
          userId: String(request.params.user),
          merchantId: String(request.params.merchant),
          mayStill: async () => state.mayStill,
          readPage,
        }),
      ),
  });
  const stop = await startComponents([httpServer({ app, host: "127.0.0.1", port, log: world.log })]);
  const clients: Socket[] = [];
  /** A client that asks and takes nothing of the answer. */
  const stall = async (user: string, merchant = "mer_one") => {
    const client = connect(port, "127.0.0.1").pause();
    clients.push(client.on("error", () => {}));
    const before = state.pages;
    client.write(`GET /list/${merchant}/${user} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await until("it is being written", () => state.pages > before);
  };
  const ask = async (user: string, merchant = "mer_one") => {
    const response = await fetch(`http://127.0.0.1:${port}/list/${merchant}/${user}`);
    await response.body?.cancel();
    return response.status;
  };
  const close = async () => {
    for (const client of clients) client.destroy();
    await stop();
  };
  return { state, stall, ask, close, url: `http://127.0.0.1:${port}/list/mer_one/reader`, port };
}

test("a list of 100,000 rows streams completely, page by page, in constant memory", async () => {
  playCollections(others, ROWS);
  const response = await viewer.raw("GET", `${base}/collections.csv?search=cust&limit=3&after=7`);
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="collections-live-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect([response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
    "text/csv; charset=utf-8",
    "private, no-store",
  ]);
  let [lines, bytes, peak] = [0, 0, 0];
  const start = process.memoryUsage();
  for await (const chunk of response.body ?? []) {
    lines += Buffer.from(chunk).reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
    bytes += chunk.length;
    const now = process.memoryUsage();
    peak = Math.max(peak, now.arrayBuffers - start.arrayBuffers + now.heapUsed - start.heapUsed);
  }
  expect(lines).toBe(ROWS + 1);
  const asked = others.askedOf(browseCollections);
  expect(asked).toHaveLength(ROWS / PAGE);
  expect(asked.every(({ limit, search }) => limit === String(PAGE) && search === "cust")).toBe(true);
  // The services behind are played in this very process, so the bound is loose: the whole list is 20 MB on the wire and more as objects.
  expect(bytes).toBeGreaterThan(18e6);
  expect(peak / 1e6).toBeLessThan(120);
});

test("backpressure from a slow client stops reading ahead, and a disconnect stops the export", async () => {
  playCollections(others, ROWS);
  const client = new AbortController();
  const response = await fetch(`${dashboard.url}${base}/collections.csv`, {
    signal: client.signal,
    headers: { cookie: [...viewer.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
  });
  const reader = response.body?.getReader();
  await reader?.read();
  const count = () => others.askedOf(browseCollections).length;
  // It comes to rest when the buffers on the way are full, long before the end.
  let seen = -1;
  await until("it comes to rest", async () => {
    const now = count();
    const isResting = now === seen;
    seen = now;
    await viewer.get("/api/me");
    return isResting && count() === now;
  });
  expect(seen).toBeLessThan(ROWS / PAGE / 2);
  client.abort();
  const left = count();
  await viewer.get("/api/me");
  await until("nothing more is read", async () => {
    const now = count();
    await viewer.get("/api/me");
    return count() === now;
  });
  expect(count() - left).toBeLessThan(5);
});

test("a user can run three concurrent exports and no more, without blocking other users", async () => {
  const exports = await startExports({});
  for (let n = 0; n < 3; n++) await exports.stall("greedy");
  expect(await exports.ask("greedy")).toBe(429);
  expect(await exports.ask("modest")).toBe(200);
  await exports.close();
});

test("the members of a merchant can run five concurrent exports and no more, without blocking other merchants", async () => {
  const exports = await startExports({});
  for (let n = 0; n < 5; n++) await exports.stall(`member${n}`);
  expect(await exports.ask("another")).toBe(429);
  expect(await exports.ask("another", "mer_two")).toBe(200);
  await exports.close();
});

test("a client that reads nothing is disconnected, and its slot is released", async () => {
  const exports = await startExports({ limits: { ...READ_LIMITS, idleMs: 200 } });
  for (let n = 0; n < 3; n++) await exports.stall("stalled");
  await until("a place is free", async () => (await exports.ask("stalled")) === 200);
  await exports.close();
});

test("a client that asks several times on one connection and reads nothing is disconnected, and its slots are released", async () => {
  const exports = await startExports({ limits: { ...READ_LIMITS, idleMs: 1_000 } });
  const client = connect(exports.port, "127.0.0.1").pause();
  client.on("error", () => {});
  client.write("GET /list/mer_one/stalled HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(3));
  await until("all slots are taken", async () => (await exports.ask("stalled")) === 429);
  await until("three places are free", async () => {
    const open = await Promise.all([1, 2, 3].map(() => fetch(exports.url.replace("reader", "stalled"))));
    await Promise.all(open.map(({ body }) => body?.cancel()));
    return open.every(({ status }) => status === 200);
  });
  client.destroy();
  await exports.close();
});

test("a client that reads less than it has to is disconnected as well", async () => {
  const exports = await startExports({ limits: { ...READ_LIMITS, idleMs: 300, bytesMin: 1e9 } });
  const response = await fetch(exports.url);
  const reader = response.body?.getReader();
  const rest = async () => {
    while (!(await reader?.read())?.done);
  };
  await expect(rest()).rejects.toThrow();
  await exports.close();
});

test("no export lasts longer than the maximum, however fast it is read", async () => {
  const exports = await startExports({ limits: { ...READ_LIMITS, totalMs: 300 } });
  const response = await fetch(exports.url);
  await expect(response.arrayBuffer()).rejects.toThrow();
  await exports.close();
});

test.each(["csv", "xlsx"] as const)(
  "a user who loses access during an export as %s does not get the rest of it",
  async (format) => {
    const exports = await startExports({ checkMs: 0 }, format);
    const response = await fetch(exports.url);
    const reader = response.body?.getReader();
    await reader?.read();
    exports.state.mayStill = false;
    const rest = async () => {
      while (!(await reader?.read())?.done);
    };
    await expect(rest()).rejects.toThrow();
    await exports.close();
  },
);

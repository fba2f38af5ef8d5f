import type { ServerResponse } from "node:http";
import { EventSource } from "undici";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { useServer } from "../../test/server.ts";
import { followStream } from "./stream.ts";

const server = useServer();
const streams: ServerResponse[] = [];
const ends: (() => void)[] = [];
let address = "";

/** The part of the document that the stream reads: its visibility. */
const page = Object.assign(new EventTarget(), { hidden: false });
const setHidden = (hidden: boolean) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event("visibilitychange"));
};

beforeAll(async () => {
  Object.assign(globalThis, { EventSource, document: page });
  address = (await fetch("/where")).url.replace("/where", "/api/live");
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  for (const stream of streams.splice(0)) stream.destroy();
  page.hidden = false;
});
afterAll(() => {
  Object.assign(globalThis, { document: undefined });
});

async function follow() {
  const notified: string[][] = [];
  let missed = 0;
  server.answers("GET", "live", (_call, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("retry:20\n\n");
    streams.push(response);
  });
  ends.push(followStream(address, { onChanged: (what) => notified.push(what), onMissed: () => missed++ }));
  await expect.poll(() => streams.length).toBe(1);
  return { notified, missed: () => missed };
}

const notify = (...what: string[]) => streams.at(-1)?.write(`event: changed\ndata: ${JSON.stringify({ what })}\n\n`);

test("changes are reported; a page that has just been read has missed nothing", async () => {
  const { notified, missed } = await follow();
  notify("collections", "events");
  await expect.poll(() => notified).toEqual([["collections", "events"]]);
  expect(missed()).toBe(0);
});

test("after a lost connection everything is refetched, and updates continue", async () => {
  const { notified, missed } = await follow();
  streams[0]?.destroy();
  await expect.poll(() => streams.length).toBe(2);
  await expect.poll(missed).toBe(1);
  notify("transfers");
  await expect.poll(() => notified).toEqual([["transfers"]]);
});

test("a hidden page keeps no connection; once visible it catches up", async () => {
  const { missed } = await follow();
  const closed = new Promise((resolve) => streams[0]?.once("close", resolve));
  setHidden(true);
  await closed;
  setHidden(false);
  await expect.poll(() => [streams.length, missed()]).toEqual([2, 1]);
});

test("a page that was left sends no more requests, however often it becomes visible", async () => {
  await follow();
  const closed = new Promise((resolve) => streams[0]?.once("close", resolve));
  for (const end of ends.splice(0)) end();
  await closed;
  setHidden(true);
  setHidden(false);
  expect(streams).toHaveLength(1);
});

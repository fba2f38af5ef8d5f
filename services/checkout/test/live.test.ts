import { request } from "node:http";
import { type SessionSnapshot, sessionChanged } from "@collect/contracts";
import { until } from "@collect/testing";
import { afterEach, expect, test } from "vitest";
import { STREAMS } from "../src/page/live.ts";
import {
  ageCopies,
  aReference,
  aSession,
  type Checkout,
  call,
  inMinutes,
  paid,
  publishSessions,
  startCheckout,
} from "./checkout.ts";
import { useCheckout } from "./world.ts";

const ROOM = { processMax: 5_000, merchantMax: 5_000, clientMax: 5_000, referenceMax: 50 };
const { world, fakes, checkout, aKnownSession } = await useCheckout({ streams: { ...STREAMS, test: ROOM } });
const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Stream = { status: number; headers: NodeJS.Dict<string | string[]>; text: string; ended: boolean; close(): void };

/** The stream of an open page: what it has received, and whether it has ended. */
function openStream(at: Checkout, path: string, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${at.url}${path}`, { agent: false, headers }, (response) => {
      const close = () => void outgoing.destroy();
      const { statusCode: status = 0, headers } = response;
      const stream: Stream = { status, headers, text: "", ended: false, close };
      response.setEncoding("utf8");
      response.on("data", (text) => {
        stream.text += text;
      });
      response.on("error", () => {});
      response.on("close", () => {
        stream.ended = true;
      });
      closers.push(close);
      resolve(stream);
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}
const follow = ({ reference, version }: SessionSnapshot, at = checkout) =>
  openStream(at, `/pay/${reference}/live?version=${version}`);
/** Those that have arrived whole: a card may come in several pieces. */
const cards = ({ text }: Stream) =>
  [...text.matchAll(/id: (\d+)\nevent: card\n(?:data: .*\n)+\n/g)].map(([, id]) => Number(id));
const received = (stream: Stream, ...versions: number[]) =>
  until(`cards ${versions}`, () => cards(stream).join() === versions.join());

const processing = (session: SessionSnapshot): SessionSnapshot => ({
  ...session,
  version: session.version + 1,
  status: "processing",
});
const publish = (...sessions: SessionSnapshot[]) => world.others.publish(sessionChanged, sessions);
/** Updates a copy as another replica does with an event that this process does not see. */
const updateCopyDirectly = (session: SessionSnapshot) =>
  world.owner.query(
    "update session_views set version = version + 1, snapshot = snapshot || $2, refreshed_at = clock_timestamp() where reference = $1",
    [session.reference, JSON.stringify({ status: "processing", version: session.version + 1 })],
  );

test("an open page receives the card that a reload would show, at once and only after a change", async () => {
  const session = await aKnownSession();
  const stream = await follow(session);
  expect(stream.headers["content-type"]).toBe("text/event-stream");
  await publish(session);
  await publish(processing(session));
  await received(stream, 2);
  expect(stream.text).toMatch(/^retry: \d{4}\n\n/);
  const sent = stream.text.split("event: card\n")[1] ?? "";
  const markup = sent
    .split("\n")
    .flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []))
    .join("\n");
  const page = (await call(checkout, "GET", `/pay/${session.reference}`)).text;
  const timeless = (text: string) => text.replace(/data-now="[^"]*"/, "");
  expect(timeless(page)).toContain(timeless(markup.replace(/^<title>.*<\/title>/, "")));
});

test("a page with an older version, or after a reconnect, receives what it missed; a current one does not", async () => {
  const session = await aKnownSession({ version: 4 });
  const path = `/pay/${session.reference}/live`;
  await received(await openStream(checkout, `${path}?version=3`), 4);
  await received(await openStream(checkout, path), 4);
  await received(await openStream(checkout, `${path}?version=4`, { "last-event-id": "2" }), 4);
  const current = await openStream(checkout, `${path}?version=1`, { "last-event-id": "4" });
  await publish(processing(session));
  await received(current, 5);
});

test("a change that another replica consumed is found in the read model", async () => {
  const session = await aKnownSession();
  const stream = await follow(session);
  await updateCopyDirectly(session);
  await received(stream, 2);
});

test("a change without an event is found, because watching refreshes a stale copy", async () => {
  const session = await aKnownSession();
  const stream = await follow(session);
  fakes.addSessions(processing(session));
  await ageCopies(world, 1, session);
  await received(stream, 2);
});

test("a page survives the loss of the read model", async () => {
  const session = await aKnownSession();
  const stream = await follow(session);
  fakes.addSessions(processing(session));
  await world.owner.query("delete from session_views where reference = $1", [session.reference]);
  await received(stream, 2);
});

test("in any order of events, a page never goes back to an older version", async () => {
  const session = await aKnownSession();
  const stream = await follow(session);
  await publish({ ...paid(session), version: 5, status: "underpaid" });
  await received(stream, 5);
  await publish(processing(session));
  await publish({ ...paid(session), version: 6 });
  await received(stream, 5, 6);
});

test("once nothing can change the stream ends, and a reconnecting page gets a 204", async () => {
  const session = await aKnownSession();
  const stream = await follow(session);
  await publish(paid(session));
  await received(stream, 2);
  await until("the stream ends", () => stream.ended);
  expect((await follow({ ...session, version: 2 })).status).toBe(204);
  const over = await aKnownSession({ status: "expired", watchUntil: inMinutes(-1) });
  expect((await follow(over)).status).toBe(204);
  await received(await follow({ ...over, version: 0 }), 1);
});

test("an idle stream sends alive events, and ends once its session can no longer change", async () => {
  const quick = await startCheckout(world, { streams: { ...STREAMS, aliveEveryMs: 20 } });
  closers.push(quick.stop);
  const session = await aKnownSession();
  const stream = await follow(session, quick);
  await until("alive events", () => stream.text.split("event: alive\ndata:\n\n").length > 3);
  const ending = await aKnownSession({ status: "expired", watchUntil: inMinutes(1 / 30) });
  const watched = await follow(ending, quick);
  await until("the stream ends", () => watched.ended);
  expect(cards(watched)).toEqual([]);
});

test("a polling page derives the same state from the response as its card carries, so that it detects changes", async () => {
  for (const given of [{}, { status: "underpaid", amountReceived: 240_010n }, { detailsRequired: true }] as const) {
    const { reference } = await aKnownSession(given);
    const { body } = await call(checkout, "GET", `/checkout/${reference}`);
    const state = [body.status, body.amount_received, body.details_required, body.expires_at].join(" ");
    expect((await call(checkout, "GET", `/pay/${reference}`)).text).toContain(`data-state="${state}"`);
  }
});

test("unknown and malformed references have no stream", async () => {
  for (const it of [aReference(), "x"])
    expect((await openStream(checkout, `/pay/${it}/live?version=1`)).status).toBe(404);
});

/** Limits of test streams; of live ones there is room. */
const streamsOf = (test: Partial<typeof ROOM>) => ({ ...STREAMS, live: ROOM, test: { ...ROOM, ...test } });

test("streams are limited by process and by reference, and closing one frees its slot", async () => {
  const small = await startCheckout(world, { streams: streamsOf({ processMax: 3, referenceMax: 2 }) });
  closers.push(small.stop);
  const [one, two] = [await aKnownSession(), await aKnownSession()];
  const streams = [await follow(one, small), await follow(one, small)];
  const refused = await follow(one, small);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "60"]);
  streams.push(await follow(two, small));
  expect((await follow(two, small)).status).toBe(503);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  streams[0]?.close();
  await until("a free slot", async () => (await follow(two, small)).status === 200);
});

test("the pages of one merchant can use only a share of a process's streams", async () => {
  const small = await startCheckout(world, { streams: streamsOf({ processMax: 4, merchantMax: 2 }) });
  closers.push(small.stop);
  const { merchant } = await aKnownSession();
  const mine = () => aKnownSession({ merchant });
  const streams = [await follow(await mine(), small), await follow(await mine(), small)];
  const refused = await follow(await mine(), small);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "60"]);
  expect((await follow(await aKnownSession(), small)).status).toBe(200);
  const another = await mine();
  streams[0]?.close();
  await until("a free slot", async () => (await follow(another, small)).status === 200);
});

test("however many test streams are open, a live payer's is accepted", async () => {
  const small = await startCheckout(world, { streams: streamsOf({ processMax: 2 }) });
  closers.push(small.stop);
  const session = await aKnownSession();
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push((await follow(session, small)).status);
  expect(statuses).toEqual([200, 200, 503, 503]);
  const live = await aKnownSession({ merchant: { ...session.merchant, mode: "live" } });
  expect((await follow(live, small)).status).toBe(200);
});

test("one client can use only a share of the streams", async () => {
  const small = await startCheckout(world, { streams: streamsOf({ clientMax: 1 }) });
  closers.push(small.stop);
  expect((await follow(await aKnownSession(), small)).status).toBe(200);
  const refused = await follow(await aKnownSession(), small);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "60"]);
});

test("streams end when the service stops, which does not wait for them", async () => {
  const leaving = await startCheckout(world);
  const session = await aKnownSession();
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(session, leaving)));
  await leaving.stop();
  await until("all ended", () => streams.every(({ ended }) => ended));
});

test("2,000 open pages on one process all receive their changes, by events and by the read model", async () => {
  const sessions = Array.from({ length: 2_000 }, () => aSession({ merchant: { id: "mer_pages", mode: "test" } }));
  fakes.addSessions(...sessions);
  await publishSessions(world, ...sessions);
  await call(checkout, "GET", `/pay/${sessions[0]?.reference}`);
  const reads = fakes.reads.length;
  const streams: Stream[] = [];
  for (let from = 0; from < sessions.length; from += 100)
    streams.push(...(await Promise.all(sessions.slice(from, from + 100).map((session) => follow(session)))));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  await publish(...sessions.slice(0, 1_000).map(processing));
  await Promise.all(sessions.slice(1_000).map(updateCopyDirectly));
  await until("all have a card", () => streams.every((stream) => cards(stream).join() === "2"));
  expect(fakes.reads.length).toBe(reads);
  // They are still watched: each changes once more, and is then final.
  await publish(...sessions.map((session) => paid(processing(session))));
  await until("all are paid", () => streams.every((stream) => cards(stream).join() === "2,3" && stream.ended));
});

import { request } from "node:http";
import { type SessionSnapshot, sessionChanged } from "@collect/contracts";
import { until, type World } from "@collect/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { STREAMS } from "../src/page/live.ts";
import {
  age,
  aReference,
  aSession,
  type Checkout,
  call,
  inMinutes,
  openCheckoutWorld,
  paid,
  startCheckout,
  tell,
} from "./checkout.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let others: Others;
let checkout: Checkout;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  world = await openCheckoutWorld();
  others = await playOthers(world);
  checkout = await startCheckout(world);
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await checkout.stop();
  await others.stop();
  await world.close();
});

type Stream = { status: number; headers: NodeJS.Dict<string | string[]>; text: string; isOver: boolean; close(): void };

/** An open page, as far as its stream goes: what has come so far, and whether it has ended. */
function open(at: Checkout, path: string, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const asking = request(`${at.url}${path}`, { agent: false, headers }, (response) => {
      const close = () => void asking.destroy();
      const stream: Stream = {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: "",
        isOver: false,
        close,
      };
      response.setEncoding("utf8");
      response.on("data", (text) => {
        stream.text += text;
      });
      response.on("error", () => {});
      response.on("close", () => {
        stream.isOver = true;
      });
      closers.push(close);
      resolve(stream);
    });
    asking.on("error", reject);
    asking.end();
  });
}
const follow = ({ reference, version }: SessionSnapshot, at = checkout) =>
  open(at, `/pay/${reference}/live?version=${version}`);
const cards = ({ text }: Stream) => [...text.matchAll(/id: (\d+)\nevent: card\n/g)].map(([, id]) => Number(id));
const came = (stream: Stream, ...versions: number[]) =>
  until(`cards ${versions}`, () => cards(stream).join() === versions.join());

async function known(given: Partial<SessionSnapshot> = {}) {
  const session = aSession(given);
  others.know(session);
  await tell(world, session);
  return session;
}
const processing = (session: SessionSnapshot): SessionSnapshot => ({
  ...session,
  version: session.version + 1,
  status: "processing",
});
const publish = (...sessions: SessionSnapshot[]) => world.others.publish(sessionChanged, sessions);
/** What another replica does with an event that this process never sees. */
const writeBehind = (session: SessionSnapshot) =>
  world.owner.query(
    "update session_views set version = version + 1, snapshot = snapshot || $2, refreshed_at = clock_timestamp() where reference = $1",
    [session.reference, JSON.stringify({ status: "processing", version: session.version + 1 })],
  );

test("an open page is sent the card that the page itself would show, at once and only when something has changed", async () => {
  const session = await known();
  const stream = await follow(session);
  expect(stream.headers["content-type"]).toBe("text/event-stream");
  await publish(session);
  await publish(processing(session));
  await came(stream, 2);
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

test("a page that shows an older version, or comes back after a break, is sent what it missed; another is not", async () => {
  const session = await known({ version: 4 });
  const path = `/pay/${session.reference}/live`;
  await came(await open(checkout, `${path}?version=3`), 4);
  await came(await open(checkout, path), 4);
  await came(await open(checkout, `${path}?version=4`, { "last-event-id": "2" }), 4);
  const current = await open(checkout, `${path}?version=1`, { "last-event-id": "4" });
  await publish(processing(session));
  await came(current, 5);
});

test("a change that another replica took in is seen in the read model", async () => {
  const session = await known();
  const stream = await follow(session);
  await writeBehind(session);
  await came(stream, 2);
});

test("a change of which no event ever came is found, for watching renews an old copy", async () => {
  const session = await known();
  const stream = await follow(session);
  others.know(processing(session));
  await age(world, 1, session);
  await came(stream, 2);
});

test("a page survives the loss of the read model", async () => {
  const session = await known();
  const stream = await follow(session);
  others.know(processing(session));
  await world.owner.query("delete from session_views where reference = $1", [session.reference]);
  await came(stream, 2);
});

test("whatever order they come in, a page never goes back to an older version", async () => {
  const session = await known();
  const stream = await follow(session);
  await publish({ ...paid(session), version: 5, status: "underpaid" });
  await came(stream, 5);
  await publish(processing(session));
  await publish({ ...paid(session), version: 6 });
  await came(stream, 5, 6);
});

test("once nothing can change any more the stream ends, and a page that comes back is told to stay away", async () => {
  const session = await known();
  const stream = await follow(session);
  await publish(paid(session));
  await came(stream, 2);
  await until("it ends", () => stream.isOver);
  expect((await follow({ ...session, version: 2 })).status).toBe(204);
  const over = await known({ status: "expired", watchUntil: inMinutes(-1) });
  expect((await follow(over)).status).toBe(204);
  await came(await follow({ ...over, version: 0 }), 1);
});

test("a quiet stream says that it is alive, and one whose session can change no more is ended", async () => {
  const quick = await startCheckout(world, { streams: { ...STREAMS, aliveEveryMs: 20 } });
  closers.push(quick.stop);
  const session = await known();
  const stream = await follow(session, quick);
  await until("signs of life", () => stream.text.split("event: alive\ndata:\n\n").length > 3);
  const ending = await known({ status: "expired", watchUntil: inMinutes(1 / 30) });
  const watched = await follow(ending, quick);
  await until("it ends", () => watched.isOver);
  expect(cards(watched)).toEqual([]);
});

test("a page that polls makes the same state out of the answer as its card carries, so it knows what is news", async () => {
  for (const given of [{}, { status: "underpaid", amountReceived: 240_010n }, { detailsRequired: true }] as const) {
    const { reference } = await known(given);
    const { body } = await call(checkout, "GET", `/checkout/${reference}`);
    const state = [body.status, body.amount_received, body.details_required, body.expires_at].join(" ");
    expect((await call(checkout, "GET", `/pay/${reference}`)).text).toContain(`data-state="${state}"`);
  }
});

test("unknown and malformed references have no stream", async () => {
  for (const reference of [aReference(), "x"])
    expect((await open(checkout, `/pay/${reference}/live?version=1`)).status).toBe(404);
});

test("a process, and a reference, take so many streams and no more; room is made when one is closed", async () => {
  const small = await startCheckout(world, { streams: { ...STREAMS, processMax: 3, referenceMax: 2 } });
  closers.push(small.stop);
  const [one, two] = [await known(), await known()];
  const streams = [await follow(one, small), await follow(one, small)];
  const refused = await follow(one, small);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "60"]);
  streams.push(await follow(two, small));
  expect((await follow(two, small)).status).toBe(503);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  streams[0]?.close();
  await until("room", async () => (await follow(two, small)).status === 200);
});

test("one merchant's pages take a share of a process, whatever payments they are of, and leave the rest to others", async () => {
  const small = await startCheckout(world, { streams: { ...STREAMS, processMax: 4, merchantMax: 2 } });
  closers.push(small.stop);
  const { merchant } = await known();
  const mine = () => known({ merchant });
  const streams = [await follow(await mine(), small), await follow(await mine(), small)];
  const refused = await follow(await mine(), small);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "60"]);
  expect((await follow(await known({ merchant: { ...merchant, mode: "live" } }), small)).status).toBe(503);
  expect((await follow(await known(), small)).status).toBe(200);
  const another = await mine();
  streams[0]?.close();
  await until("room", async () => (await follow(another, small)).status === 200);
});

test("streams end when the service stops, which does not wait for them", async () => {
  const leaving = await startCheckout(world);
  const session = await known();
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(session, leaving)));
  await leaving.stop();
  await until("all ended", () => streams.every(({ isOver }) => isOver));
});

test("2,000 open pages on one process all see their session change, by events and by the read model alike", async () => {
  const sessions = Array.from({ length: 2_000 }, () => aSession());
  others.know(...sessions);
  await tell(world, ...sessions);
  const reads = others.reads.length;
  const streams: Stream[] = [];
  for (let from = 0; from < sessions.length; from += 100)
    streams.push(...(await Promise.all(sessions.slice(from, from + 100).map((session) => follow(session)))));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const [told, behind] = [sessions.slice(0, 1_000), sessions.slice(1_000)];
  await publish(...told.map(processing));
  await Promise.all(behind.map(writeBehind));
  await until("all have a card", () => streams.every((stream) => cards(stream).join() === "2"));
  expect(others.reads.length).toBe(reads);
  // They are still watched: all of them change once more, and now for good.
  await publish(...sessions.map((session) => paid(processing(session))));
  await until("all are paid", () => streams.every((stream) => cards(stream).join() === "2,3" && stream.isOver));
});

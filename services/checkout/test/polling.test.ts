import { until } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import {
  ageCopies,
  aReference,
  aSession,
  type Checkout,
  call,
  paid,
  publishSessions,
  startCheckout,
} from "./checkout.ts";
import { type FakeServices, startFakeServices } from "./fake-services.ts";
import { useCheckoutWorld } from "./world.ts";

const world = await useCheckoutWorld();
let checkout: Checkout;
let fakes: FakeServices;

beforeEach(async () => {
  fakes = await startFakeServices(world);
  checkout = await startCheckout(world);
  return async () => {
    await checkout.stop();
    await fakes.stop();
  };
});

const show = (reference: string) => call(checkout, "GET", `/checkout/${reference}`);
const showAll = (references: string[]) => Promise.all(references.map(show));

/** Requests that began less than a second after the previous one, with tolerance for the timer. */
const tooSoon = () => fakes.reads.filter(({ at }, index) => at - (fakes.reads[index - 1]?.at ?? -Infinity) < 990);

test("1,000 polling payers cost payments one request a second, and all get the current status", async () => {
  const sessions = Array.from({ length: 1_000 }, () => aSession());
  const references = sessions.map(({ reference }) => reference);
  await publishSessions(world, ...sessions);
  fakes.addSessions(...sessions.map(paid));
  await ageCopies(world, 1, ...sessions);
  const first = await showAll(references);
  expect(new Set(first.map(({ body }) => body.status))).toEqual(new Set(["pending"]));
  await until("all paid", async () => (await showAll(references)).every(({ body }) => body.status === "paid"));
  expect(tooSoon()).toEqual([]);
  expect(Math.max(...fakes.reads.map(({ references }) => references.length))).toBeLessThanOrEqual(500);
  const read = fakes.reads.flatMap(({ references }) => references);
  expect(new Set(read).size).toBe(1_000);
  // A poll that comes while the answer is being stored asks once more.
  expect(read.length).toBeLessThan(1_050);
});

test("callers without a copy wait for a batch and all get a response; the first is read at once", async () => {
  const sessions = Array.from({ length: 900 }, () => aSession());
  fakes.addSessions(...sessions);
  const alone = sessions[0]?.reference ?? "";
  expect((await show(alone)).status).toBe(200);
  const responses = await showAll(sessions.map(({ reference }) => reference));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(tooSoon()).toEqual([]);
  const sizes = fakes.reads.map(({ references }) => references.length);
  expect([sizes[0], sizes.reduce((sum, size) => sum + size)]).toEqual([1, 900]);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

test("a flood of guessed references is turned away, and known sessions are still refreshed", async () => {
  const session = aSession();
  await publishSessions(world, session);
  fakes.addSessions(paid(session));
  await ageCopies(world, 1, session);
  const gate = Promise.withResolvers<void>();
  fakes.behavior.respondAfter = gate.promise;
  const flood = Array.from({ length: 1_600 }, () => show(aReference()));
  const turnedAway = flood.map(async (response) => (await response).status === 503 || Promise.reject());
  await Promise.any(turnedAway);
  gate.resolve();
  await until("current", async () => (await show(session.reference)).body.status === "paid");
  for (const { status } of await Promise.all(flood)) expect([404, 503]).toContain(status);
  expect(tooSoon()).toEqual([]);
});

test("a response that does not fit into a message is requested in smaller batches until all are refreshed", async () => {
  const sessions = Array.from({ length: 150 }, () => aSession());
  const references = sessions.map(({ reference }) => reference);
  await publishSessions(world, ...sessions);
  fakes.addSessions(...sessions.map(paid));
  fakes.behavior.readsMax = 100;
  await ageCopies(world, 1, ...sessions);
  await until("all paid", async () => (await showAll(references)).every(({ body }) => body.status === "paid"));
  expect(tooSoon()).toEqual([]);
});

test("while payments is down copies are returned, and only sessions without a copy are unavailable", async () => {
  const session = aSession();
  await publishSessions(world, session);
  await ageCopies(world, 10, session);
  await fakes.stop();
  expect((await show(session.reference)).body.status).toBe("pending");
  const missing = aSession();
  expect((await show(missing.reference)).body.code).toBe("service_unavailable");

  fakes = await startFakeServices(world);
  fakes.addSessions(paid(session), missing);
  await until("current", async () => (await show(session.reference)).body.status === "paid");
  expect((await show(missing.reference)).status).toBe(200);
});

test("callers that wait when the service stops get a response first", async () => {
  await show(aReference());
  const late = [aReference(), aReference()];
  const responses = showAll(late);
  await until("both received", async () => {
    const keys = late.map((reference) => `checkout_reads:${reference}`);
    return (await world.owner.query("select from rate_limit_hits where key = any($1)", [keys])).rowCount === 2;
  });
  await checkout.stop();
  expect((await responses).map(({ status }) => status)).toEqual([404, 404]);
  checkout = await startCheckout(world);
});

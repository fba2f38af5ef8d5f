import { until, type World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  age,
  aReference,
  aSession,
  type Checkout,
  call,
  openCheckoutWorld,
  paid,
  startCheckout,
  tell,
} from "./checkout.ts";
import { type Others, playOthers } from "./others.ts";

let world: World;
let checkout: Checkout;
let others: Others;

beforeAll(async () => {
  world = await openCheckoutWorld();
});
beforeEach(async () => {
  others = await playOthers(world);
  checkout = await startCheckout(world);
  return async () => {
    await checkout.stop();
    await others.stop();
  };
});
afterAll(() => world.close());

const show = (reference: string) => call(checkout, "GET", `/checkout/${reference}`);
const showAll = (references: string[]) => Promise.all(references.map(show));

/** Requests that began less than a second after the one before; a timer may be a little early. */
const tooSoon = () => others.reads.filter(({ at }, index) => at - (others.reads[index - 1]?.at ?? -Infinity) < 990);

test("1,000 payers who poll cost payments one request a second, and all of them get the truth", async () => {
  const sessions = Array.from({ length: 1_000 }, () => aSession());
  const references = sessions.map(({ reference }) => reference);
  await tell(world, ...sessions);
  others.know(...sessions.map(paid));
  await age(world, 1, ...sessions);
  const first = await showAll(references);
  expect(new Set(first.map(({ body }) => body.status))).toEqual(new Set(["pending"]));
  await until("all paid", async () => (await showAll(references)).every(({ body }) => body.status === "paid"));
  expect(tooSoon()).toEqual([]);
  expect(Math.max(...others.reads.map(({ references }) => references.length))).toBeLessThanOrEqual(500);
  expect(others.reads.flatMap((read) => read.references).length).toBe(1_000);
});

test("those for whom there is no copy wait for a batch and are all answered; the first goes at once", async () => {
  const sessions = Array.from({ length: 900 }, () => aSession());
  others.know(...sessions);
  const alone = sessions[0]?.reference ?? "";
  expect((await show(alone)).status).toBe(200);
  const answers = await showAll(sessions.map(({ reference }) => reference));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(tooSoon()).toEqual([]);
  const sizes = others.reads.map(({ references }) => references.length);
  expect([sizes[0], sizes.reduce((sum, size) => sum + size)]).toEqual([1, 900]);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

test("a flood of invented references is turned away, and sessions that are there are still renewed", async () => {
  const session = aSession();
  await tell(world, session);
  others.know(paid(session));
  await age(world, 1, session);
  const held = Promise.withResolvers<void>();
  others.behaviour.answering = held.promise;
  const flood = Array.from({ length: 1_600 }, () => show(aReference()));
  const turnedAway = flood.map(async (answer) => (await answer).status === 503 || Promise.reject());
  await Promise.any(turnedAway);
  held.resolve();
  await until("the truth", async () => (await show(session.reference)).body.status === "paid");
  for (const { status } of await Promise.all(flood)) expect([404, 503]).toContain(status);
  expect(tooSoon()).toEqual([]);
});

test("an answer that does not fit into a message is asked for in smaller batches until all are renewed", async () => {
  const sessions = Array.from({ length: 150 }, () => aSession());
  const references = sessions.map(({ reference }) => reference);
  await tell(world, ...sessions);
  others.know(...sessions.map(paid));
  others.behaviour.readsAtMost = 100;
  await age(world, 1, ...sessions);
  await until("all paid", async () => (await showAll(references)).every(({ body }) => body.status === "paid"));
  expect(tooSoon()).toEqual([]);
});

test("while payments is down copies are shown as they are, and only what has no copy is unavailable", async () => {
  const session = aSession();
  await tell(world, session);
  await age(world, 10, session);
  await others.stop();
  expect((await show(session.reference)).body.status).toBe("pending");
  const missing = aSession();
  expect((await show(missing.reference)).body.code).toBe("service_unavailable");

  others = await playOthers(world);
  others.know(paid(session), missing);
  await until("the truth", async () => (await show(session.reference)).body.status === "paid");
  expect((await show(missing.reference)).status).toBe(200);
});

test("who is waiting when the service stops gets an answer first", async () => {
  await show(aReference());
  const late = [aReference(), aReference()];
  const answers = showAll(late);
  await until("both came in", async () => {
    const keys = late.map((reference) => `reads:${reference}`);
    return (await world.owner.query("select from rate_limit_hits where key = any($1)", [keys])).rowCount === 2;
  });
  await checkout.stop();
  expect((await answers).map(({ status }) => status)).toEqual([404, 404]);
  checkout = await startCheckout(world);
});

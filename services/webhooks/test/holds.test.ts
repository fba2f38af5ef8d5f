import { collectionSucceeded, pauseWebhookEndpoint, resumeWebhookEndpoint } from "@collect/contracts";
import { aMerchant, startReceiver, until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { FAILURES_MAX } from "../src/domain/hold.ts";
import { expectInOrder, SENDING, sequencesOf, useHolding } from "./holding.ts";
import { aCollection, deliveriesOf, openForOneTest, setUrl, startWebhooks, untilStatuses } from "./service.ts";

const holding = await useHolding();
const { world, current, anEndpoint, pay, accept, holdOf, untilHold, untilProbed } = holding;
const { held, fail, probeDue, rows, sequences } = holding;

test("an endpoint that fails is held: only its oldest event is tried, and new ones wait without an attempt", async () => {
  await held(60);
  const tried = current().receiver.received.length;
  // What was being sent, what was recorded meanwhile, and a probe come on top.
  expect(tried).toBeLessThan(FAILURES_MAX + 20);
  await pay(40);
  await untilHold("they wait too", (hold) => hold?.waiting === 100);
  const before = await rows();
  await probeDue();
  await until("it was probed", () => current().receiver.received.length > tried);
  // From the second probe on another event is tried, too, because a server may refuse one event only.
  await until("its answer is stored", async () => (await rows())[0]?.attempts === (before[0]?.attempts ?? 0) + 1);
  await untilHold("it waits again", (hold) => hold?.waiting === 100);
  expect(sequences(tried)[0]).toBe(1);
  const after = await rows();
  expect(after.filter(({ attempts }, at) => attempts !== before[at]?.attempts)).toHaveLength(2);
  // That is the newest one.
  expect(after.at(-1)).toMatchObject({ attempts: 1, status: "pending" });
  expect(after.slice(-30, -1).every(({ attempts, status }) => attempts === 0 && status === "pending")).toBe(true);
  expect(await holdOf()).toMatchObject({ state: "held", seconds_left: null, next_attempt_at: expect.any(String) });
});

test("what was held goes out in the order of its sequence once a probe is acknowledged, in growing batches, and nothing is lost", async () => {
  await held(100);
  await pay(400);
  await until("they are recorded", async () => (await rows()).length === 500);
  const tried = current().receiver.received.length;
  let [open, most] = [0, 0];
  const concurrent: number[] = [];
  current().receiver.behave((response) => {
    most = Math.max(most, ++open);
    concurrent.push(open);
    setImmediate(() => {
      open--;
      response.end("ok");
    });
  });
  await probeDue();
  await untilStatuses(world, current().merchant, ...Array(500).fill("delivered"));
  const got = sequences(tried);
  expect(got).toHaveLength(500);
  expectInOrder(got);
  expect(Math.max(...concurrent.slice(0, 3))).toBeLessThanOrEqual(2);
  expect(most).toBeLessThanOrEqual(32);
  await until("the hold has ended", async () => (await holdOf()) === null);
  await pay(1);
  await untilStatuses(world, current().merchant, ...Array(501).fill("delivered"));
  expect((await rows()).at(-1)?.attempts).toBe(1);
});

test("a held endpoint delays no other", async () => {
  await held(300);
  accept();
  const other = await startReceiver();
  onTestFinished(other.stop);
  const flowing = await Promise.all(Array.from({ length: 4 }, () => anEndpoint(other.url)));
  const tried = current().receiver.received.length;
  for (const scope of flowing) await pay(50, scope);
  for (const scope of flowing) await untilStatuses(world, scope, ...Array(50).fill("delivered"));
  expect(current().receiver.received).toHaveLength(tried);
  expect((await holdOf())?.waiting).toBe(300);
});

test("a release that fails is held again, and goes on where it stopped", async () => {
  await held(100);
  let accepted = 0;
  current().receiver.behave((response) => void response.writeHead(++accepted <= 20 ? 200 : 503).end());
  await probeDue();
  await untilHold("it is held again", (hold) => hold?.state === "held" && hold.waiting === 80);
  await untilProbed(1);
  accept();
  const tried = current().receiver.received.length;
  await probeDue();
  await untilStatuses(world, current().merchant, ...Array(100).fill("delivered"));
  expectInOrder(sequences(tried));
});

test("one event that its server refuses holds up the others for two probes at most", async () => {
  await held(20);
  current().receiver.behave(
    (response, { headers }) => void response.writeHead(headers["x-service-sequence"] === "1" ? 422 : 200).end(),
  );
  await probeDue();
  await untilStatuses(world, current().merchant, "pending", ...Array(19).fill("delivered"));
  await until("the hold has ended", async () => (await holdOf()) === null);
  const { rows: waiting } = await world.owner.query(
    "select next_attempt_at > now() + interval '30 minutes' as later from deliveries where merchant_id = $1 and sequence = 1",
    [current().merchant.id],
  );
  expect(waiting).toEqual([{ later: true }]);
});

test("a server that refuses many events is not held: the others are sent at once", async () => {
  current().receiver.behave(
    (response, { headers }) => void response.writeHead(Number(headers["x-service-sequence"]) <= 40 ? 404 : 200).end(),
  );
  await pay(40);
  await pay(5);
  await untilStatuses(world, current().merchant, ...Array(40).fill("pending"), ...Array(5).fill("delivered"));
  expect(await holdOf()).toBeNull();
});

test("many events that a server fails on hold up the newest for two probes at most", async () => {
  await held(30);
  await pay(1);
  await untilHold("the newest waits, too", (hold) => hold?.waiting === 31);
  current().receiver.behave(
    (response, { headers }) => void response.writeHead(Number(headers["x-service-sequence"]) <= 30 ? 500 : 200).end(),
  );
  await probeDue();
  await untilStatuses(world, current().merchant, ...Array(30).fill("pending"), "delivered");
});

test("an endpoint of which one event fails again and again is not held", async () => {
  fail();
  await pay(1);
  for (let attempts = 2; attempts <= 16; attempts++) {
    await until("it was tried again", async () => (await rows())[0]?.attempts === attempts);
    await world.owner.query(
      "update deliveries set next_attempt_at = now() where merchant_id = $1 and status = 'pending'",
      [current().merchant.id],
    );
  }
  await untilStatuses(world, current().merchant, "exhausted");
  expect(await holdOf()).toBeNull();
});

test("the probe ends with its schedule like any delivery, and what was given up meanwhile goes out with the rest", async () => {
  await held(20);
  await world.owner.query("update deliveries set attempts = 15 where merchant_id = $1 and sequence = 1", [
    current().merchant.id,
  ]);
  await probeDue();
  await untilStatuses(world, current().merchant, "exhausted", ...Array(19).fill("pending"));
  await untilProbed(2);
  accept();
  await probeDue();
  await untilStatuses(world, current().merchant, ...Array(20).fill("delivered"));
  expect((await rows())[0]).toMatchObject({ attempts: 17 });
});

test("what was given up before a pause, or at an earlier URL, goes out with the rest, too", async () => {
  await held(20);
  await world.owner.query("update deliveries set attempts = 15 where merchant_id = $1 and sequence = 1", [
    current().merchant.id,
  ]);
  await probeDue();
  await untilStatuses(world, current().merchant, "exhausted", ...Array(19).fill("pending"));
  await world.others.request(pauseWebhookEndpoint, { merchant: current().merchant });
  accept();
  await setUrl(world, current().merchant, `${current().receiver.url}/elsewhere`);
  await world.others.request(resumeWebhookEndpoint, { merchant: current().merchant });
  await until("all of them are there", async () => {
    const { received } = current().receiver;
    const there = received.filter(({ path }) => path.endsWith("/elsewhere"));
    return new Set(there.map(({ headers }) => headers["x-service-sequence"])).size === 20;
  });
});

test("a pause ends with the URL, and so does what waited for it", async () => {
  await world.others.request(pauseWebhookEndpoint, { merchant: current().merchant });
  await pay(3);
  await until("they wait", async () => (await rows()).length === 3);
  await setUrl(world, current().merchant, null);
  await untilStatuses(world, current().merchant, "superseded", "superseded", "superseded");
  await until("the pause has ended", async () => (await holdOf()) === null);
});

test("a new URL is tried at once, and what was held moves there in order", async () => {
  await held(40);
  const next = await startReceiver();
  onTestFinished(next.stop);
  await setUrl(world, current().merchant, next.url);
  await until("all has arrived", () => next.received.length === 40);
  const got = next.received.map(({ headers }) => Number(headers["x-service-sequence"]));
  expectInOrder(got);
  await until("the hold has ended", async () => (await holdOf()) === null);
});

test("without a URL what was held ends, and so does the hold", async () => {
  await held(40);
  await setUrl(world, current().merchant, null);
  await untilStatuses(world, current().merchant, ...Array(40).fill("superseded"));
  await until("the hold has ended", async () => (await holdOf()) === null);
});

test("several replicas hold, probe and release an endpoint once", async () => {
  for (let n = 0; n < 2; n++) onTestFinished(await startWebhooks(world, SENDING));
  await held(120);
  accept();
  const tried = current().receiver.received.length;
  await probeDue();
  await untilStatuses(world, current().merchant, ...Array(120).fill("delivered"));
  const got = sequences(tried);
  expect(got).toHaveLength(120);
  expectInOrder(got);
});

test("what a batch cannot send within its lease goes out with the next one, and nothing overtakes it", async () => {
  // Attempts start in the first 200 ms of a batch only.
  const slow = { ...SENDING, deadlineMs: 1_000, leaseMs: 6_200 };
  const { world, receiver, replicas } = await openForOneTest();
  await replicas.start(slow);
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  await world.others.request(pauseWebhookEndpoint, { merchant });
  const collections = Array.from({ length: 200 }, () => aCollection({ merchant }));
  await world.others.publish(collectionSucceeded, collections);
  await until("they wait", async () => (await deliveriesOf(world, merchant)).length === 200);
  receiver.behave((response) => void setTimeout(() => response.end(), 80));
  await world.others.request(resumeWebhookEndpoint, { merchant });
  await untilStatuses(world, merchant, ...Array(200).fill("delivered"));
  const got = sequencesOf(receiver);
  expect(got).toHaveLength(200);
  // At most 32 are sent at a time.
  const overtaken = got.map((sequence, at) => Math.max(...got.slice(0, at + 1)) - sequence);
  expect(Math.max(...overtaken)).toBeLessThan(32);
});

test("an event that was recorded as held while the hold ended is found and sent", async () => {
  await pay(1);
  await untilStatuses(world, current().merchant, "delivered");
  await world.owner.query(
    "update deliveries set status = 'pending', next_attempt_at = null, attempts = 0 where merchant_id = $1",
    [current().merchant.id],
  );
  await untilStatuses(world, current().merchant, "delivered");
  await until("the hold has ended", async () => (await holdOf()) === null);
});

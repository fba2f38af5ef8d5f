import { answer, serveRequests } from "@collect/bus";
import {
  collectionSucceeded,
  getWebhookHealth,
  type MerchantScope,
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
  sendTestEvent,
  storeTestEvent,
} from "@collect/contracts";
import { aMerchant, startReceiver, until, type WebhookReceiver } from "@collect/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { FAILURES_MAX } from "../src/domain/hold.ts";
import { aCollection, deliveriesOf, setUrl, startWebhooks, untilStatuses, useWebhooks } from "./service.ts";

/** The first attempt, a probe at once, and then only when the test asks for it. */
const HOUR = 3_600_000;
const schedule = { delaysMs: [0, ...Array(14).fill(HOUR)], jitter: 0, retryAfterMaxMs: 2 * HOUR };
const SENDING = { schedule, pollMs: 20 };

const world = await useWebhooks(SENDING);
let receiver: WebhookReceiver;
let merchant: MerchantScope;
beforeEach(async () => {
  receiver = await startReceiver();
  merchant = await anEndpoint();
  return receiver.stop;
});

async function anEndpoint(url = receiver.url): Promise<MerchantScope> {
  const scope = aMerchant();
  await setUrl(world, scope, url);
  return scope;
}
const pay = (count: number, scope = merchant) =>
  world.others.publish(
    collectionSucceeded,
    Array.from({ length: count }, () => aCollection({ merchant: scope })),
  );
const fail = () => receiver.behave((response) => void response.writeHead(503).end("no"));
const accept = () => receiver.behave((response) => void response.end("ok"));
const holdOf = async (scope = merchant) => (await world.others.request(getWebhookHealth, { merchant: scope })).hold;
const untilHold = (what: string, is: (hold: Awaited<ReturnType<typeof holdOf>>) => boolean) =>
  until(what, async () => is(await holdOf()));
const probeDue = () =>
  world.owner.query("update holds set next_batch_at = now() where merchant_id = $1", [merchant.id]);
const rows = (scope = merchant) => deliveriesOf(world, scope);
const untilRecorded = (count: number) => until("they are recorded", async () => (await rows()).length === count);
const sequences = (from = 0) =>
  receiver.received.slice(from).map(({ headers }) => Number(headers["x-service-sequence"]));

/** An endpoint that is held, after its first probe has failed too, with `count` events. */
async function held(count: number): Promise<void> {
  fail();
  await pay(count);
  await untilHold("it is held", (hold) => hold?.state === "held" && hold.waiting === count);
  await until("the first probe has failed", async () => {
    const { rows } = await world.owner.query("select probes from holds where merchant_id = $1", [merchant.id]);
    return rows[0]?.probes === 1;
  });
}

/** In the order of the sequence, but for those that were in one batch. */
function expectInOrder(got: number[]): void {
  let done = 0;
  for (let size = 1; done < got.length; size = Math.min(size * 2, 256)) {
    const batch = got.slice(done, done + size).toSorted((a, b) => a - b);
    expect(batch).toEqual(got.toSorted((a, b) => a - b).slice(done, done + size));
    done += size;
  }
}

test("an endpoint that fails is held: only its oldest event is tried, and new ones wait without an attempt", async () => {
  await held(60);
  const tried = receiver.received.length;
  expect(tried).toBeLessThan(FAILURES_MAX + 40);
  await pay(40);
  await untilHold("they wait too", (hold) => hold?.waiting === 100);
  const before = await rows();
  await probeDue();
  await until("it was probed", () => receiver.received.length > tried);
  // From the second probe on another event is tried, too, because a server may refuse one event only.
  await until("its answer is stored", async () => (await rows())[0]?.attempts === (before[0]?.attempts ?? 0) + 1);
  await untilHold("it waits again", (hold) => hold?.waiting === 100);
  expect(sequences(tried)[0]).toBe(1);
  const after = await rows();
  expect(after.filter(({ attempts }, at) => attempts !== before[at]?.attempts)).toHaveLength(2);
  expect(after.slice(-30).every(({ attempts, status }) => attempts === 0 && status === "pending")).toBe(true);
  expect(await holdOf()).toMatchObject({ state: "held", seconds_left: null, next_attempt_at: expect.any(String) });
});

test("what was held goes out in the order of its sequence once a probe is acknowledged, in growing batches, and nothing is lost", async () => {
  await held(100);
  await pay(400);
  await untilRecorded(500);
  const tried = receiver.received.length;
  let [open, most] = [0, 0];
  const concurrent: number[] = [];
  receiver.behave((response) => {
    most = Math.max(most, ++open);
    concurrent.push(open);
    setImmediate(() => {
      open--;
      response.end("ok");
    });
  });
  await probeDue();
  await untilStatuses(world, merchant, ...Array(500).fill("delivered"));
  const got = sequences(tried);
  expect(got).toHaveLength(500);
  expectInOrder(got);
  expect(Math.max(...concurrent.slice(0, 3))).toBeLessThanOrEqual(2);
  expect(most).toBeLessThanOrEqual(32);
  await until("the hold has ended", async () => (await holdOf()) === null);
  await pay(1);
  await untilStatuses(world, merchant, ...Array(501).fill("delivered"));
  expect((await rows()).at(-1)?.attempts).toBe(1);
});

test("a held endpoint delays no other", async () => {
  await held(300);
  accept();
  const other = await startReceiver();
  onTestFinished(other.stop);
  const flowing = await Promise.all(Array.from({ length: 4 }, () => anEndpoint(other.url)));
  const tried = receiver.received.length;
  for (const scope of flowing) await pay(50, scope);
  for (const scope of flowing) await untilStatuses(world, scope, ...Array(50).fill("delivered"));
  expect(receiver.received).toHaveLength(tried);
  expect((await holdOf())?.waiting).toBe(300);
});

test("a release that fails is held again, and goes on where it stopped", async () => {
  await held(100);
  let accepted = 0;
  receiver.behave((response) => void response.writeHead(++accepted <= 20 ? 200 : 503).end());
  await probeDue();
  await untilHold("it is held again", (hold) => hold?.state === "held" && hold.waiting === 80);
  await until("its first probe has failed", async () => {
    const { rows } = await world.owner.query("select probes from holds where merchant_id = $1", [merchant.id]);
    return rows[0]?.probes === 1;
  });
  accept();
  const tried = receiver.received.length;
  await probeDue();
  await untilStatuses(world, merchant, ...Array(100).fill("delivered"));
  expectInOrder(sequences(tried));
});

test("one event that its server refuses holds up the others for two probes at most", async () => {
  await held(20);
  receiver.behave(
    (response, { headers }) => void response.writeHead(headers["x-service-sequence"] === "1" ? 422 : 200).end(),
  );
  await probeDue();
  await untilStatuses(world, merchant, "pending", ...Array(19).fill("delivered"));
  await until("the hold has ended", async () => (await holdOf()) === null);
  const { rows: waiting } = await world.owner.query(
    "select next_attempt_at > now() + interval '30 minutes' as later from deliveries where merchant_id = $1 and sequence = 1",
    [merchant.id],
  );
  expect(waiting).toEqual([{ later: true }]);
});

test("an endpoint of which one event fails again and again is not held", async () => {
  fail();
  await pay(1);
  for (let attempts = 2; attempts <= 16; attempts++) {
    await until("it was tried again", async () => (await rows())[0]?.attempts === attempts);
    await world.owner.query(
      "update deliveries set next_attempt_at = now() where merchant_id = $1 and status = 'pending'",
      [merchant.id],
    );
  }
  await untilStatuses(world, merchant, "exhausted");
  expect(await holdOf()).toBeNull();
});

test("the probe ends with its schedule like any delivery, and what was given up meanwhile goes out with the rest", async () => {
  await held(20);
  await world.owner.query("update deliveries set attempts = 15 where merchant_id = $1 and sequence = 1", [merchant.id]);
  await probeDue();
  await untilStatuses(world, merchant, "exhausted", ...Array(19).fill("pending"));
  accept();
  await probeDue();
  await untilStatuses(world, merchant, ...Array(20).fill("delivered"));
  expect((await rows())[0]).toMatchObject({ attempts: 17 });
});

describe("a member of the team", () => {
  const pausing = (scope = merchant) => world.others.request(pauseWebhookEndpoint, { merchant: scope });
  const resuming = (scope = merchant) => world.others.request(resumeWebhookEndpoint, { merchant: scope });

  test("pauses an endpoint that works: events wait, and go out in order when it is resumed", async () => {
    await pay(3);
    await untilStatuses(world, merchant, "delivered", "delivered", "delivered");
    expect((await pausing()).hold).toMatchObject({ state: "paused", waiting: 0 });
    const { since } = (await pausing()).hold ?? {};
    await pay(30);
    await untilHold("they wait", (hold) => hold?.state === "paused" && hold.waiting === 30 && hold.since === since);
    expect(receiver.received).toHaveLength(3);
    await resuming();
    await untilStatuses(world, merchant, ...Array(33).fill("delivered"));
    expectInOrder(sequences(3));
    await until("the hold has ended", async () => (await holdOf()) === null);
    expect(await resuming()).toEqual({ hold: null });
  });

  test("pauses while many wait in memory: after those that are being sent no more are", async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    receiver.behave((response) => void answered.then(() => response.end()));
    await pay(200);
    await receiver.count(8);
    await pausing();
    await until("they are withdrawn", async () => ((await holdOf())?.waiting ?? 0) >= 180);
    answer();
    await until("those in progress are stored", async () => (await holdOf())?.waiting === 192);
    expect(receiver.received).toHaveLength(8);
    await resuming();
    await untilStatuses(world, merchant, ...Array(200).fill("delivered"));
  });

  test("cannot pause without a URL, and tries a held endpoint at once", async () => {
    const scope = aMerchant();
    await expect(pausing(scope)).rejects.toMatchObject({ code: "no_webhook_url" });
    await setUrl(world, scope, null);
    await expect(pausing(scope)).rejects.toMatchObject({ code: "no_webhook_url" });
    await held(20);
    accept();
    await resuming();
    await untilStatuses(world, merchant, ...Array(20).fill("delivered"));
  });

  test("sends a test event to a held endpoint, which is probed once it is acknowledged", async () => {
    const payments = [answer(storeTestEvent, async () => ({}))];
    const requests = serveRequests(world.others, { service: "payments", log: world.log, requests: payments });
    await requests.start();
    onTestFinished(requests.stop);
    await held(20);
    accept();
    await world.others.request(sendTestEvent, { merchant });
    await untilStatuses(world, merchant, ...Array(21).fill("delivered"));
  });
});

test("a new URL is tried at once, and what was held moves there in order", async () => {
  await held(40);
  const next = await startReceiver();
  onTestFinished(next.stop);
  await setUrl(world, merchant, next.url);
  await until("all has arrived", () => next.received.length === 40);
  const got = next.received.map(({ headers }) => Number(headers["x-service-sequence"]));
  expectInOrder(got);
  await until("the hold has ended", async () => (await holdOf()) === null);
});

test("without a URL what was held ends, and so does the hold", async () => {
  await held(40);
  await setUrl(world, merchant, null);
  await untilStatuses(world, merchant, ...Array(40).fill("superseded"));
  await until("the hold has ended", async () => (await holdOf()) === null);
});

test("several replicas hold, probe and release an endpoint once", async () => {
  for (let n = 0; n < 2; n++) onTestFinished(await startWebhooks(world, SENDING));
  await held(120);
  accept();
  const tried = receiver.received.length;
  await probeDue();
  await untilStatuses(world, merchant, ...Array(120).fill("delivered"));
  const got = sequences(tried);
  expect(got).toHaveLength(120);
  expectInOrder(got);
});

test("an event that was recorded as held while the hold ended is found and sent", async () => {
  await pay(1);
  await untilStatuses(world, merchant, "delivered");
  await world.owner.query(
    "update deliveries set status = 'pending', next_attempt_at = null, attempts = 0 where merchant_id = $1",
    [merchant.id],
  );
  await untilStatuses(world, merchant, "delivered");
  await until("the hold has ended", async () => (await holdOf()) === null);
});

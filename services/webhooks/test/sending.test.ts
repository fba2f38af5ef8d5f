import type { ServerResponse } from "node:http";
import { collectionRecorded, collectionSucceeded } from "@collect/contracts";
import { aMerchant, isSigned, recordFacts, startReceiver, until, type WebhookReceiver } from "@collect/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { AT_ONCE, aCollection, attemptsOf, deliveriesOf, setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks({ ...AT_ONCE, deadlineMs: 1_000 });
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
  return receiver.stop;
});

/** Responds to deliveries with these codes in order, and with 200 after them. */
function behaveInTurn(...answers: ((response: ServerResponse) => void)[]): void {
  receiver.behave((response) => (answers.shift() ?? status(200))(response));
}
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end("ok");

async function deliver(count = 1) {
  const merchant = aMerchant();
  const { secret } = await setUrl(world, merchant, receiver.url);
  const collections = Array.from({ length: count }, () => aCollection({ merchant }));
  await world.others.publish(collectionSucceeded, collections);
  return { merchant, secret, collections };
}

test("a delivery is signed over its raw bytes and carries the numbers that accounts was notified of", async () => {
  const facts = await recordFacts(world.others, collectionRecorded);
  const { secret, collections } = await deliver();
  const [got] = await receiver.count(1);
  const [fact] = await facts.count(1);
  if (!got || !fact) throw new Error("counted");
  expect(isSigned(got, secret)).toBe(true);
  expect(isSigned({ ...got, raw: Buffer.concat([got.raw, Buffer.from(" ")]) }, secret)).toBe(false);
  expect(got.headers).toMatchObject({
    "content-type": "application/json",
    "x-service-event": "collection.success",
    "x-service-delivery": String(fact.deliveryNumber),
    "x-service-sequence": String(fact.sequence),
    "x-service-attempt": "1",
  });
  expect(got.body).toMatchObject({
    event: "collection.success",
    data: { reference: collections[0]?.reference, amount: 10_000 },
  });
});

test("every attempt sends the same bytes and numbers, and its own attempt number", async () => {
  behaveInTurn(status(500), status(410));
  const { merchant, secret } = await deliver();
  const [first, ...again] = await receiver.count(3);
  for (const attempt of again) {
    expect(attempt.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    for (const header of ["x-service-delivery", "x-service-sequence", "x-service-signature", "webhook-id"])
      expect(attempt.headers[header]).toBe(first?.headers[header]);
    expect(isSigned(attempt, secret)).toBe(true);
  }
  expect(receiver.received.map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "2", "3"]);
  expect(await untilStatuses(world, merchant, "delivered")).toMatchObject([{ attempts: 3, last_status: 200 }]);
  const rows = await attemptsOf(world, merchant);
  expect(rows.map(({ status }) => status)).toEqual([500, 410, 200]);
  expect(rows[0]).toMatchObject({ error: null, response: "ok" });
});

describe("a delivery that is not acknowledged is retried", () => {
  test.each<[string, (response: ServerResponse) => void, object]>([
    ["hangs", () => {}, { status: null, error: "no answer within 1 s" }],
    ["redirects", (response) => status(302, { location: `${receiver.url}/elsewhere` })(response), { status: 302 }],
    ["resets", (response) => void response.socket?.resetAndDestroy(), { status: null }],
    ["hangs up", (response) => void response.destroy(), { status: null }],
    ["says 410", status(410), { status: 410 }],
    ["says 304", (response) => void response.writeHead(304).end(), { status: 304 }],
  ])("when the receiver %s", async (_what, answer, attempt) => {
    behaveInTurn(answer);
    const { merchant } = await deliver();
    await untilStatuses(world, merchant, "delivered");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
    expect(await attemptsOf(world, merchant)).toMatchObject([attempt, { status: 200 }]);
  });

  test("when the connection is refused", async () => {
    const { url } = receiver;
    await receiver.stop();
    const merchant = aMerchant();
    await setUrl(world, merchant, url);
    await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
    expect(await untilStatuses(world, merchant, "exhausted")).toMatchObject([{ attempts: 4, last_status: null }]);
    receiver = await startReceiver();
  });
});

test("any 2xx acknowledges", async () => {
  behaveInTurn(status(204), status(299));
  const { merchant } = await deliver(2);
  const rows = await untilStatuses(world, merchant, "delivered", "delivered");
  expect(rows.map(({ last_status }) => last_status).sort()).toEqual([204, 299]);
});

test("Retry-After delays the next attempt, by a day at most", async () => {
  behaveInTurn(status(503, { "retry-after": "7200" }), status(503, { "retry-after": "99999999" }));
  const { merchant } = await deliver(2);
  const waits = await until("both are delayed", async () => {
    const { rows } = await world.owner.query<{ hours: number }>(
      `select round(extract(epoch from next_attempt_at - clock_timestamp()) / 360)::int / 10.0::float8 as hours
       from deliveries where merchant_id = $1 and attempts = 1 order by next_attempt_at`,
      [merchant.id],
    );
    return rows.length === 2 && rows.map(({ hours }) => hours);
  });
  expect(waits).toEqual([2, 24]);
});

test("an exhausted delivery is kept with every attempt, and does not delay later ones", async () => {
  behaveInTurn(...Array.from({ length: 4 }, () => status(500)));
  const { merchant } = await deliver();
  expect(await untilStatuses(world, merchant, "exhausted")).toMatchObject([{ attempts: 4, last_status: 500 }]);
  await world.others.publish(collectionSucceeded, [aCollection({ merchant })]);
  await untilStatuses(world, merchant, "exhausted", "delivered");
  expect(await attemptsOf(world, merchant)).toHaveLength(5);
});

test("a receiver that withholds every response does not delay another merchant", async () => {
  const held: ServerResponse[] = [];
  const slow = await startReceiver();
  slow.behave((response) => void held.push(response));
  const slowMerchant = aMerchant();
  await setUrl(world, slowMerchant, slow.url);
  // More than fit in its queue, in memory and beyond.
  const many = Array.from({ length: 1_500 }, () => aCollection({ merchant: slowMerchant }));
  await world.others.publish(collectionSucceeded, many);
  await slow.count(8);
  const { merchant } = await deliver(50);
  await receiver.count(50);
  await untilStatuses(world, merchant, ...Array(50).fill("delivered"));
  expect(held.length).toBe(slow.received.length);
  expect((await deliveriesOf(world, slowMerchant)).filter(({ status }) => status === "delivered")).toEqual([]);
  // The slow one gets everything once it responds, with each delivery number and sequence acknowledged once.
  slow.behave((response) => void response.end());
  for (const response of held) response.end();
  await until("the slow one has everything", async () => {
    const rows = await deliveriesOf(world, slowMerchant);
    return rows.length === many.length && rows.every(({ status }) => status === "delivered");
  });
  await slow.stop();
});

test("after the URL is changed, unacknowledged events are sent to the new one, each as a delivery of its own", async () => {
  const next = await startReceiver();
  const { promise: changed, resolve: change } = Promise.withResolvers<void>();
  receiver.behave((response) => void changed.then(() => response.writeHead(500).end()));
  const { merchant, secret } = await deliver();
  const [old] = await receiver.count(1);
  await setUrl(world, merchant, next.url);
  change();
  const [moved] = await next.count(1);
  if (!old || !moved) throw new Error("counted");
  expect(isSigned(moved, secret)).toBe(true);
  expect(moved.raw.equals(old.raw)).toBe(true);
  expect(moved.headers["x-service-sequence"]).toBe(old.headers["x-service-sequence"]);
  expect(moved.headers["webhook-id"]).toBe(old.headers["webhook-id"]);
  expect(moved.headers["x-service-delivery"]).not.toBe(old.headers["x-service-delivery"]);
  expect(await untilStatuses(world, merchant, "superseded", "delivered")).toMatchObject([
    { url: receiver.url },
    { url: next.url, attempts: 1 },
  ]);
  await next.stop();
});

test("when the URL is changed back, the delivery keeps its number there", async () => {
  const elsewhere = await startReceiver();
  const { promise: moved, resolve: move } = Promise.withResolvers<void>();
  receiver.behave((response) => void moved.then(() => response.writeHead(500).end()));
  const { merchant } = await deliver();
  const [first] = await receiver.count(1);
  await setUrl(world, merchant, elsewhere.url);
  const { promise: back, resolve: goBack } = Promise.withResolvers<void>();
  elsewhere.behave((response) => void back.then(() => response.writeHead(500).end()));
  move();
  await elsewhere.count(1);
  receiver.behave((response) => void response.end());
  await setUrl(world, merchant, receiver.url);
  goBack();
  const [, second] = await receiver.count(2);
  expect(second?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
  expect(second?.headers["x-service-attempt"]).toBe("2");
  await elsewhere.stop();
});

test("without a URL nothing more is sent", async () => {
  const { promise: removed, resolve: remove } = Promise.withResolvers<void>();
  receiver.behave((response) => void removed.then(() => response.writeHead(500).end()));
  const { merchant } = await deliver();
  await receiver.count(1);
  await setUrl(world, merchant, null);
  remove();
  await untilStatuses(world, merchant, "superseded");
  expect(receiver.received).toHaveLength(1);
});

import {
  cancelReplay,
  getWebhookHealth,
  type MerchantScope,
  replayEvent,
  type startReplay,
  type WireResult,
} from "@collect/contracts";
import { aMerchant, randomId, startReceiver, until, type WebhookReceiver, type World } from "@collect/testing";
import { beforeEach, expect, test } from "vitest";
import { lastReplay, merchantWithHistory, recordedEvents, replayRange, untilReplayed } from "./history.ts";
import { AT_ONCE, attemptsOf, deliveriesOf, openForOneTest, type Replicas, setUrl, untilStatuses } from "./service.ts";

let world: World;
let receiver: WebhookReceiver;
let replicas: Replicas;
beforeEach(async () => {
  ({ world, receiver, replicas } = await openForOneTest());
  await replicas.start();
});

const one = (merchant: MerchantScope, sequence: number) => world.others.request(replayEvent, { merchant, sequence });

const withHistory = (count: number, status = "delivered", attempts = 1) =>
  merchantWithHistory(world, { url: receiver.url, count, status, attempts });

test("a replayed event keeps its bytes and numbers, and continues counting its attempts", async () => {
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  await recordedEvents(world, merchant, 1);
  await world.owner.query("update deliveries set next_attempt_at = now()");
  await untilStatuses(world, merchant, "delivered");
  const { promise: seen, resolve: answerNow } = Promise.withResolvers<void>();
  receiver.behave((response) => void seen.then(() => response.end()));
  const answered = await one(merchant, 1);
  expect(answered).toMatchObject({ sequence: 1, status: "pending", attempts: 1, event: "collection.success" });
  answerNow();
  await until("it is received twice", async () => receiver.received.length === 2);
  await untilStatuses(world, merchant, "delivered");
  await one(merchant, 1);
  const got = await receiver.count(3);
  expect(got.map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "2", "3"]);
  expect(new Set(got.map(({ raw }) => raw.toString())).size).toBe(1);
  for (const header of ["x-service-delivery", "x-service-sequence", "x-service-signature", "webhook-id"])
    expect(new Set(got.map(({ headers }) => headers[header])).size, header).toBe(1);
  expect(got[0]?.headers["x-service-delivery"]).toBe(String(answered.number));
});

test("a replay gets the full schedule again, however many attempts there were, and fails like a delivery", async () => {
  const merchant = await withHistory(1, "exhausted", 4);
  receiver.behave((response) => void response.writeHead(500).end());
  await one(merchant, 1);
  expect(await untilStatuses(world, merchant, "exhausted")).toBeTruthy();
  await until("it is exhausted again", async () => (await deliveriesOf(world, merchant))[0]?.attempts === 8);
  await untilStatuses(world, merchant, "exhausted");
  expect(receiver.received.map(({ headers }) => headers["x-service-attempt"])).toEqual(["5", "6", "7", "8"]);
  expect((await attemptsOf(world, merchant)).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("an event without a delivery gets one to the current URL", async () => {
  const merchant = aMerchant();
  await setUrl(world, merchant, null);
  await recordedEvents(world, merchant, 2);
  await expect(one(merchant, 1)).rejects.toMatchObject({ code: "no_webhook_url" });
  await setUrl(world, merchant, receiver.url);
  const { number } = await one(merchant, 2);
  const [got] = await receiver.count(1);
  expect(got?.headers).toMatchObject({ "x-service-delivery": String(number), "x-service-sequence": "2" });
  expect(await untilStatuses(world, merchant, "delivered")).toHaveLength(1);
});

test("a delivery that waits for its retry becomes due, and one that is being sent is not sent concurrently", async () => {
  const waiting = await withHistory(1);
  await world.owner.query("update deliveries set status = 'pending', next_attempt_at = now() + interval '1 hour'");
  await one(waiting, 1);
  await receiver.count(1);
  await untilStatuses(world, waiting, "delivered");

  const { promise: answered, resolve: answerNow } = Promise.withResolvers<void>();
  receiver.behave((response) => void answered.then(() => response.end()));
  await one(waiting, 1);
  await receiver.count(2);
  expect(await one(waiting, 1)).toMatchObject({ status: "pending", next_attempt_at: null });
  expect(await one(waiting, 1)).toMatchObject({ status: "pending" });
  answerNow();
  await untilStatuses(world, waiting, "delivered");
  expect(receiver.received).toHaveLength(2);
});

test("a replay of a merchant's only delivery keeps the record of its acknowledgment", async () => {
  await replicas.stop();
  await replicas.start({ ...AT_ONCE, pollMs: 3_600_000 });
  const merchant = await withHistory(1);
  const health = () => world.others.request(getWebhookHealth, { merchant });
  expect(await health()).toMatchObject({ ever_delivered: true, failing: 0 });
  await one(merchant, 1);
  expect(await health()).toMatchObject({ ever_delivered: true, failing: 0 });
});

test("a replay follows a change of the URL, even back to a URL where it was delivered", async () => {
  const merchant = await withHistory(1);
  const elsewhere = await startReceiver();
  const { promise: back, resolve: goBack } = Promise.withResolvers<void>();
  elsewhere.behave((response) => void back.then(() => response.writeHead(500).end()));
  await setUrl(world, merchant, elsewhere.url);
  await one(merchant, 1);
  await elsewhere.count(1);
  await setUrl(world, merchant, receiver.url);
  goBack();
  const [got] = await receiver.count(1);
  expect(got?.headers["x-service-attempt"]).toBe("2");
  await untilStatuses(world, merchant, "delivered", "superseded");
  await elsewhere.stop();
});

test("a replay that is impossible is refused with its reason", async () => {
  const merchant = await withHistory(2);
  await expect(one(merchant, 3)).rejects.toMatchObject({ code: "not_found" });
  await expect(replayRange(world, merchant, 2, 1)).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "to_sequence" }],
  });
  await expect(replayRange(world, merchant, 3, 9)).rejects.toMatchObject({
    code: "validation_failed",
    errors: [{ param: "from_sequence" }],
  });
  const without = aMerchant();
  await expect(replayRange(world, without, 1, 2)).rejects.toMatchObject({ code: "no_webhook_url" });
  expect(await lastReplay(world, without)).toBeNull();
  expect((await world.others.request(cancelReplay, { merchant: without })).replay).toBeNull();
});

test("another merchant's events, and those of the other mode, cannot be replayed or cancelled", async () => {
  const merchant = await withHistory(2);
  const strangers: MerchantScope[] = [
    { id: randomId("mer"), mode: "test" },
    { id: merchant.id, mode: "live" },
  ];
  for (const stranger of strangers) {
    await setUrl(world, stranger, receiver.url);
    await expect(one(stranger, 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(replayRange(world, stranger, 1, 2)).rejects.toMatchObject({ code: "validation_failed" });
  }
  receiver.behave(() => {});
  const running: WireResult<typeof startReplay> = await replayRange(world, merchant, 1, 2);
  for (const stranger of strangers) {
    expect(await lastReplay(world, stranger)).toBeNull();
    await world.others.request(cancelReplay, { merchant: stranger });
  }
  expect(await untilReplayed(world, merchant)).toMatchObject({ id: running.id });
});

import { answer, serveRequests } from "@collect/bus";
import {
  countMinutes,
  explainSignature,
  getEvent,
  type Input,
  type MerchantScope,
  sendTestEvent,
  storeTestEvent,
  WebhookTest,
} from "@collect/contracts";
import { aMerchant, isSigned, randomId, startReceiver, type WebhookReceiver } from "@collect/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { setUrl, startWebhooks, untilStatuses, useWebhooksWorld } from "./service.ts";

const world = await useWebhooksWorld();
/** The test events that payments was asked to store. */
const stored: Input<typeof storeTestEvent>[] = [];
const payments = [
  answer(storeTestEvent, async (event) => {
    stored.push(event);
    return {};
  }),
];
await serveRequests(world.others, { service: "payments", log: world.log, requests: payments }).start();
afterAll(await startWebhooks(world));
let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
  return receiver.stop;
});

const send = (merchant: MerchantScope, requestId = randomId("req")) =>
  world.others.request(sendTestEvent, { merchant }, { requestId });

async function sent(mode: "test" | "live" = "test", id = randomId("mer")) {
  const merchant: MerchantScope = { id, mode };
  const { secret } = await setUrl(world, merchant, receiver.url);
  const before = receiver.received.length;
  const numbers = await send(merchant);
  const got = (await receiver.count(before + 1))[before];
  if (!got) throw new Error("counted");
  return { merchant, secret, numbers, got, signature: String(got.headers["x-service-signature"]) };
}

test("a test event is recorded, numbered, signed and sent like any other event", async () => {
  const { merchant, secret, numbers, got } = await sent("live");
  expect(numbers).toMatchObject({ sequence: 1 });
  expect(isSigned(got, secret)).toBe(true);
  expect(got.headers).toMatchObject({
    "x-service-event": "webhook.test",
    "x-service-sequence": "1",
    "x-service-delivery": String(numbers.delivery_number),
  });
  expect(WebhookTest.parse(got.body)).toMatchObject({ mode: "live" });
  await untilStatuses(world, merchant, "delivered");
  const { event, body } = await world.others.request(getEvent, { merchant, sequence: 1 });
  expect(event).toMatchObject({ event: "webhook.test", amount: 0 });
  expect(body).toBe(got.raw.toString());
});

test("a repeated request creates one event, and two requests create two", async () => {
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  const requestId = randomId("req");
  const [first, again] = await Promise.all([send(merchant, requestId), send(merchant, requestId)]);
  expect(again).toEqual(first);
  expect(await send(merchant, requestId)).toEqual(first);
  expect(await send(merchant)).toMatchObject({ sequence: 2 });
  const [without, id] = [await send(merchant, ""), await send(merchant, "")];
  expect([without?.sequence, id?.sequence]).toEqual([3, 4]);
  await untilStatuses(world, merchant, "delivered", "delivered", "delivered", "delivered");
  expect(receiver.received).toHaveLength(4);
  // The same request id of another merchant is another event.
  const other = aMerchant();
  await setUrl(world, other, receiver.url);
  expect(await send(other, requestId)).toMatchObject({ sequence: 1 });
});

test("sixty test events can be sent in an hour, however many at once; a repeated request needs no room", async () => {
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  const requestId = randomId("req");
  await send(merchant, requestId);
  const outcomes = await Promise.allSettled(Array.from({ length: 99 }, () => send(merchant)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(59);
  const refused = await send(merchant).catch((error) => error);
  expect(refused).toMatchObject({ code: "rate_limited" });
  expect(refused.retryAfterS).toBeGreaterThan(3_500);
  expect(await send(merchant, requestId)).toMatchObject({ sequence: 1 });
  await send({ ...merchant, mode: "live" }).catch((error) => expect(error).toMatchObject({ code: "no_webhook_url" }));
  await receiver.count(60);
  const { rows } = await world.owner.query("select count(*) from events where merchant_id = $1", [merchant.id]);
  expect(rows[0].count).toBe(60n);

  await world.owner.query("update events set created_at = created_at - interval '61 minutes' where merchant_id = $1", [
    merchant.id,
  ]);
  expect(await send(merchant)).toMatchObject({ sequence: 61 });
});

test("a test event is sent once more when it is not acknowledged, and not a third time", async () => {
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  receiver.behave((response) => void response.writeHead(500).end());
  await send(merchant);
  await untilStatuses(world, merchant, "exhausted");
  expect(receiver.received).toHaveLength(2);
});

test("without a URL there is nothing to send, and nothing is recorded", async () => {
  const merchant = aMerchant();
  await expect(send(merchant)).rejects.toMatchObject({ code: "no_webhook_url" });
  await setUrl(world, merchant, null);
  await expect(send(merchant)).rejects.toMatchObject({ code: "no_webhook_url" });
  const { rowCount } = await world.owner.query("select from events where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(0);
});

test("the self-audit does not count it", async () => {
  await sent();
  const now = Date.now();
  const span = { from: new Date(now - 3_600_000).toISOString(), to: new Date(now + 3_600_000).toISOString() };
  expect(await world.others.request(countMinutes.webhooks, span)).toEqual({ minutes: [] });
});

const explain = (merchant: MerchantScope, webhook: { body: string; signature: string; secret?: string }) =>
  world.others.request(explainSignature, { merchant, ...webhook });

test("a received webhook is explained with the number of its event, and nothing is signed for the caller", async () => {
  const { merchant, secret, got, signature } = await sent();
  const body = got.raw.toString();
  const explained = await explain(merchant, { body, signature, secret });
  expect(explained).toMatchObject({ verdict: "match", sequence: 1, mode: "test" });
  expect(JSON.stringify(explained)).not.toMatch(/[0-9a-f]{128}/);
  const spaced = JSON.stringify(JSON.parse(body), null, 2);
  expect(await explain(merchant, { body: spaced, signature })).toMatchObject({
    verdict: "body_reserialised",
    sequence: 1,
  });
  expect(await explain(merchant, { body: `${body} `, signature, secret })).toMatchObject({
    verdict: "body_reserialised",
  });
  expect(
    await explain(merchant, { body: '{"event":"\\u0000","data":{"reference":"\\u0000"}}', signature }),
  ).toMatchObject({
    verdict: "unknown_event",
    sequence: null,
  });
});

test("the other mode is named when its secret has signed, and no secret is ever revealed", async () => {
  const id = randomId("mer");
  const test = await sent("test", id);
  const live = await sent("live", id);
  const explained = await explain(test.merchant, { body: live.got.raw.toString(), signature: live.signature });
  expect(explained).toMatchObject({ verdict: "wrong_mode", sequence: null, mode: "test" });
  expect(JSON.stringify(explained)).not.toContain("whsec_");
});

test("another merchant's event and secret are unknown", async () => {
  const [mine, theirs] = [await sent(), await sent()];
  const webhook = { body: theirs.got.raw.toString(), signature: theirs.signature };
  const explained = await explain(mine.merchant, webhook);
  const invented = { body: webhook.body.replace(/tst_\w+/, "tst_0"), signature: "0".repeat(128) };
  expect(explained).toMatchObject({ verdict: "unknown_event", sequence: null });
  expect(await explain(mine.merchant, invented)).toEqual(explained);
});

test("without an endpoint there is nothing to compare with", async () => {
  await expect(explain(aMerchant(), { body: "{}", signature: "" })).rejects.toMatchObject({ code: "not_found" });
});

test("payments stores the numbers of a test event before it is sent, so that a restore does not assign them again", async () => {
  const { merchant, numbers } = await sent();
  expect(stored.find(({ merchant: { id } }) => id === merchant.id)).toMatchObject({ merchant, ...numbers });
});

test.each(["draft", "submitted", "returned"] as const)(
  "a %s merchant may set its live URL; nothing is sent to it before the verification",
  async (standing) => {
    const id = randomId("mer");
    world.merchants.stand(id, standing);
    await setUrl(world, { id, mode: "live" }, receiver.url);
    await expect(send({ id, mode: "live" })).rejects.toMatchObject({ code: "verification_required" });
    expect(receiver.received).toEqual([]);
    expect((await sent("test", id)).got.body).toMatchObject({ mode: "test" });
    world.merchants.stand(id, "verified");
    expect((await sent("live", id)).got.body).toMatchObject({ mode: "live" });
  },
);

test("a suspended merchant may test its receiver, to which its events still go, unless it was never verified", async () => {
  const id = randomId("mer");
  world.merchants.stand(id, "suspended", true);
  expect((await sent("live", id)).got.body).toMatchObject({ mode: "live" });
  world.merchants.stand(id, "suspended", false);
  await expect(send({ id, mode: "live" })).rejects.toMatchObject({ code: "verification_required" });
});

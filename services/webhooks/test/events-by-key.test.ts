import { findEvent, listEvents, type MerchantScope, resendEvent, resendEvents } from "@collect/contracts";
import { aMerchant, isSigned, startReceiver } from "@collect/testing";
import { expect, test } from "vitest";
import { eventId } from "../src/domain/event-id.ts";
import { lastReplay, merchantWithHistory, recordedEvents, untilReplayed } from "./history.ts";
import { setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
type Asked = { after_sequence?: number; limit?: number; type?: "collection.success" | "webhook.test" };
const list = (merchant = aMerchant(), asked: Asked = {}) => world.others.request(listEvents, { merchant, ...asked });
const resend = (merchant: MerchantScope, after_sequence: number, up_to_sequence: number) =>
  world.others.request(resendEvents, { merchant, after_sequence, up_to_sequence });
const sequences = ({ data }: { data: { sequence: number }[] }) => data.map(({ sequence }) => sequence);

/** Reads on from a sequence number until there are no more events. */
async function readAll(merchant: ReturnType<typeof aMerchant>, asked: Asked) {
  const read: number[] = [];
  for (let after_sequence = 0; ; ) {
    const page = await list(merchant, { ...asked, after_sequence });
    read.push(...sequences(page));
    if (!page.has_more) return { read, next: page.next };
    after_sequence = page.next;
  }
}

test("the log is read in order, page by page, and every event once", async () => {
  const merchant = aMerchant();
  await recordedEvents(world, merchant, 7);
  expect(await readAll(merchant, { limit: 3 })).toEqual({ read: [1, 2, 3, 4, 5, 6, 7], next: 7 });
  expect(await list(merchant, { after_sequence: 7 })).toMatchObject({ data: [], has_more: false, next: 7 });
  await recordedEvents(world, merchant, 1);
  expect(sequences(await list(merchant, { after_sequence: 7 }))).toEqual([8]);
  expect(await list(merchant, { after_sequence: 99 })).toMatchObject({ data: [], next: 99 });
});

test("a filter by kind passes over the others, so that the next call does not read them again", async () => {
  const merchant = aMerchant();
  await recordedEvents(world, merchant, 5);
  expect(await list(merchant, { type: "webhook.test" })).toMatchObject({ data: [], has_more: false, next: 5 });
  expect(await readAll(merchant, { type: "collection.success", limit: 2 })).toEqual({ read: [1, 2, 3, 4, 5], next: 5 });
});

test("an event is sent again by its id, as often as requested: the bytes that the log shows, under the id that it shows", async () => {
  const receiver = await startReceiver();
  const merchant = await merchantWithHistory(world, { url: receiver.url, count: 2, status: "delivered" });
  const { secret } = await setUrl(world, merchant, receiver.url);
  const id = eventId(merchant, 2n);
  for (const times of [1, 2]) {
    expect(await world.others.request(resendEvent, { merchant, id })).toMatchObject({ id, sequence: 2 });
    await receiver.count(times);
    await untilStatuses(world, merchant, "delivered", "delivered");
  }
  const event = await world.others.request(findEvent, { merchant, id });
  expect(event).toEqual((await list(merchant)).data[1]);
  expect(event.delivery).toEqual({ status: "delivered", attempts: 3, last_status: 200, next_attempt_at: null });
  for (const got of receiver.received) {
    expect(got.headers["webhook-id"]).toBe(id);
    expect(isSigned({ ...got, raw: Buffer.from(event.body) }, secret)).toBe(true);
  }
  await receiver.stop();
});

test("without a URL an event has no delivery and cannot be sent again", async () => {
  const merchant = aMerchant();
  await recordedEvents(world, merchant, 1);
  const id = eventId(merchant, 1n);
  expect(await world.others.request(findEvent, { merchant, id })).toMatchObject({ sequence: 1, delivery: null });
  await expect(world.others.request(resendEvent, { merchant, id })).rejects.toMatchObject({ code: "no_webhook_url" });
});

test("a range of the log is sent again with its bytes; started twice at once it is one replay, and later another one", async () => {
  const receiver = await startReceiver();
  const merchant = await merchantWithHistory(world, { url: receiver.url, count: 5, status: "delivered" });
  for (const times of [1, 2]) {
    const { promise: started, resolve: respond } = Promise.withResolvers<void>();
    receiver.behave((response) => void started.then(() => response.end()));
    const [one, other] = await Promise.all([resend(merchant, 1, 4), resend(merchant, 1, 4)]);
    respond();
    expect(one).toEqual({ after_sequence: 1, up_to_sequence: 4, events: 3, mode: "test" });
    expect(other).toEqual(one);
    await receiver.count(3 * times);
    await untilReplayed(world, merchant);
    await untilStatuses(world, merchant, ...Array(5).fill("delivered"));
  }
  expect(receiver.received).toHaveLength(6);
  const sent = new Set(receiver.received.map(({ headers, raw }) => `${headers["x-service-sequence"]} ${raw}`));
  const logged = (await list(merchant)).data.slice(1, 4).map(({ sequence, body }) => `${sequence} ${body}`);
  expect([...sent].sort()).toEqual(logged);
  await receiver.stop();
});

test("a range that is not in the log, too long or without a URL is refused, and nothing is sent", async () => {
  const merchant = await merchantWithHistory(world, { url: "http://127.0.0.1:9/", count: 3, status: "delivered" });
  const wrong = { code: "validation_failed", errors: [{ param: "up_to_sequence" }] };
  for (const [after, upTo] of [
    [2, 2],
    [3, 1],
    [3, 4],
    [0, 4],
  ] as const)
    await expect(resend(merchant, after, upTo), `${after} to ${upTo}`).rejects.toMatchObject(wrong);
  await expect(resend(aMerchant(), 0, 1)).rejects.toMatchObject(wrong);
  await expect(resend({ ...merchant, mode: "live" }, 0, 1)).rejects.toMatchObject(wrong);
  const without = aMerchant();
  await recordedEvents(world, without, 1);
  await expect(resend(without, 0, 1)).rejects.toMatchObject({ code: "no_webhook_url" });
  for (const { id } of [merchant, without]) expect(await lastReplay(world, { id, mode: "test" })).toBeNull();
});

test("a replay of more events than the limit is refused, however long the log is", async () => {
  const merchant = await merchantWithHistory(world, { url: "http://127.0.0.1:9/", count: 1, status: "delivered" });
  await world.owner.query("update events set sequence = 20000 where merchant_id = $1", [merchant.id]);
  await world.owner.query("update counters set sequence = 20000 where merchant_id = $1", [merchant.id]);
  await expect(resend(merchant, 0, 10_001)).rejects.toMatchObject({
    errors: [{ param: "up_to_sequence", code: "too_big" }],
  });
  expect(await resend(merchant, 0, 10_000)).toMatchObject({ events: 10_000 });
});

test("an event of another merchant or mode is neither listed nor found", async () => {
  const [merchant, other] = [aMerchant(), aMerchant()];
  await recordedEvents(world, merchant, 1);
  const id = eventId(merchant, 1n);
  for (const stranger of [other, { ...merchant, mode: "live" as const }]) {
    expect(await list(stranger)).toMatchObject({ data: [], next: 0 });
    for (const asked of [id, eventId(stranger, 1n), "evt_test_1", "\0", ""]) {
      await expect(world.others.request(findEvent, { merchant: stranger, id: asked })).rejects.toMatchObject({
        code: "not_found",
      });
      await expect(world.others.request(resendEvent, { merchant: stranger, id: asked })).rejects.toMatchObject({
        code: "not_found",
      });
    }
  }
});

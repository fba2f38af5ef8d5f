import { findEvent, listEvents, resendEvent } from "@collect/contracts";
import { aMerchant, isSigned, startReceiver } from "@collect/testing";
import { expect, test } from "vitest";
import { eventId } from "../src/domain/event-id.ts";
import { merchantWithHistory, recordedEvents } from "./history.ts";
import { setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
type Asked = { after_sequence?: number; limit?: number; type?: "collection.success" | "webhook.test" };
const list = (merchant = aMerchant(), asked: Asked = {}) => world.others.request(listEvents, { merchant, ...asked });
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

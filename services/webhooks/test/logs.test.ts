import {
  browseDeliveries,
  browseEvents,
  type FieldError,
  findEvents,
  getDelivery,
  getEvent,
  type MerchantScope,
} from "@collect/contracts";
import { aMerchant, randomId } from "@collect/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { transferEvent } from "../src/domain/event.ts";
import { eventId } from "../src/domain/event-id.ts";
import { recordEvents } from "../src/store/events.ts";
import { endedAs, recordedEvents } from "./history.ts";
import { aCompletedTransfer, setUrl, useWebhooks } from "./service.ts";

const world = await useWebhooks({ pollMs: 3_600_000 });
let merchant: MerchantScope;

/** Seven collections: 1 and 2 without a URL, 3 and 4 delivered, 5 failing, 6 exhausted, 7 pending; and a pending transfer. */
beforeAll(async () => {
  merchant = aMerchant();
  await setUrl(world, merchant, null);
  await recordedEvents(world, merchant, 2);
  await setUrl(world, merchant, "http://127.0.0.1:9/hook");
  await recordedEvents(world, merchant, 4);
  await endedAs(world, merchant, "delivered");
  await world.owner.query(
    `update deliveries set status = case sequence when 5 then 'pending' else 'exhausted' end, last_status = 500, attempts = 2,
       next_attempt_at = case sequence when 5 then '2030-01-01T00:00:00Z'::timestamptz end
     where merchant_id = $1 and sequence in (5, 6)`,
    [merchant.id],
  );
  await recordedEvents(world, merchant, 1);
  await recordEvents(
    world.pool,
    [transferEvent(aCompletedTransfer({ merchant, reference: "trf_8" }), new Date())],
    3_600_000,
  );
});

type EventsAsked = Partial<{ limit: number; after: string; event: string; search: string; references: string }>;
const events = (query: EventsAsked = {}, of = merchant) =>
  world.others.request(browseEvents, { merchant: of, ...query });
type Status = "pending" | "delivered" | "exhausted" | "superseded" | "failing" | "all";
const deliveries = (query: EventsAsked & { status?: Status } = {}, of = merchant) =>
  world.others.request(browseDeliveries, { merchant: of, ...query });
const sequences = ({ data }: { data: { sequence: number }[] }) => data.map(({ sequence }) => sequence);

describe("the event log", () => {
  test("is newest first, with the delivery of each event, if any", async () => {
    const { data, next } = await events();
    expect(sequences({ data })).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(next).toBeNull();
    expect(data.map(({ delivery }) => delivery?.status ?? null)).toEqual([
      "pending",
      "pending",
      "exhausted",
      "pending",
      "delivered",
      "delivered",
      null,
      null,
    ]);
    expect(data[3]?.delivery).toMatchObject({
      attempts: 2,
      last_status: 500,
      next_attempt_at: "2030-01-01T00:00:00.000+00:00",
    });
    expect(data[7]).toMatchObject({ event: "collection.success", amount: 10_000 });
  });

  test("is paged through without a gap, even while it grows", async () => {
    const walker = aMerchant();
    await recordedEvents(world, walker, 5);
    const first = await events({ limit: 2 }, walker);
    await recordedEvents(world, walker, 1);
    const second = await events({ limit: 2, after: first.next ?? "" }, walker);
    const third = await events({ limit: 2, after: second.next ?? "" }, walker);
    expect([first, second, third].map(sequences)).toEqual([[5, 4], [3, 2], [1]]);
    expect(third.next).toBeNull();
  });

  test("filters by kind, reference and number", async () => {
    expect(sequences(await events({ event: "transfer.success" }))).toEqual([8]);
    expect(sequences(await events({ event: "collection.success", limit: 3 }))).toEqual([7, 6, 5]);
    expect(sequences(await events({ search: "trf_8" }))).toEqual([8]);
    expect(sequences(await events({ search: " 3 " }))).toEqual([3]);
    expect(sequences(await events({ search: "trf_8", event: "collection.success" }))).toEqual([]);
    for (const search of ["nothing", "99", "99999999999999999999999"])
      expect(sequences(await events({ search }))).toEqual([]);
    for (const search of ["\0", "trf\0"])
      await expect(events({ search })).rejects.toMatchObject({ code: "validation_failed" });
  });

  test("lists selected events and deliveries by their numbers, with the other filters", async () => {
    expect(sequences(await events({ references: "2,7,99,x" }))).toEqual([7, 2]);
    const [first, second] = (await deliveries()).data;
    const references = `${first?.number},${second?.number},x`;
    expect((await deliveries({ references })).data).toEqual([first, second]);
    expect((await deliveries({ references, search: second?.reference ?? "" })).data).toEqual([second]);
    expect((await events({ references: "2,7" }, aMerchant())).data).toEqual([]);
    expect((await deliveries({ references }, aMerchant())).data).toEqual([]);
  });

  test("returns one event with its bytes and its deliveries", async () => {
    const { event, body, deliveries } = await world.others.request(getEvent, { merchant, sequence: 8 });
    expect(event).toMatchObject({ sequence: 8, reference: "trf_8", amount: 2_500.73 });
    expect(JSON.parse(body)).toMatchObject({ event: "transfer.success", data: { reference: "trf_8" } });
    expect(deliveries).toMatchObject([{ sequence: 8, url: "http://127.0.0.1:9/hook", status: "pending" }]);
    expect((await world.others.request(getEvent, { merchant, sequence: 1 })).deliveries).toEqual([]);
  });

  test("returns the attempts for a reference, oldest first", async () => {
    const [row] = (await events({ search: "3" })).data;
    const found = await world.others.request(findEvents, { merchant, reference: row?.reference ?? "" });
    expect(found.events).toMatchObject([
      { sequence: 3, tried: [{ attempt: 1, status: 200, error: null, duration_ms: 100 }] },
    ]);
    expect(await world.others.request(findEvents, { merchant, reference: "nothing\0" })).toEqual({ events: [] });
  });
});

describe("the list of deliveries", () => {
  test.each<[Status, number[]]>([
    ["all", [8, 7, 6, 5, 4, 3]],
    ["pending", [8, 7, 5]],
    ["failing", [5]],
    ["delivered", [4, 3]],
    ["exhausted", [6]],
    ["superseded", []],
  ])("shows %s", async (status, expected) => {
    expect(sequences(await deliveries({ status }))).toEqual(expected);
    const found = await Promise.all(expected.map((sequence) => events({ search: String(sequence) })));
    for (const { data } of found) {
      const { reference = "", delivery } = data[0] ?? {};
      for (const search of [reference, String(delivery?.number)])
        expect(sequences(await deliveries({ status, search }))).toEqual(sequences({ data }));
    }
  });

  test("is paged through newest first, merged from all kinds and statuses", async () => {
    const seen: number[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await deliveries({ limit: 2, ...(after !== undefined && { after }) });
      seen.push(...page.data.map(({ number }) => number));
      after = page.next;
    }
    expect(seen).toHaveLength(6);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  test("filters by kind and status together", async () => {
    expect(sequences(await deliveries({ event: "transfer.success" }))).toEqual([8]);
    expect(sequences(await deliveries({ event: "collection.success", status: "pending" }))).toEqual([7, 5]);
    expect(sequences(await deliveries({ event: "collection.success", status: "failing" }))).toEqual([5]);
    expect(sequences(await deliveries({ event: "transfer.failed" }))).toEqual([]);
  });

  test("includes deliveries written by a release that did not store the kind", async () => {
    const earlier = aMerchant();
    await setUrl(world, earlier, "http://127.0.0.1:9/");
    await recordedEvents(world, earlier, 1);
    await world.owner.query("update deliveries set kind = '', created_at = null where merchant_id = $1", [earlier.id]);
    const { data } = await deliveries({}, earlier);
    const [event] = (await events({}, earlier)).data;
    expect(data).toMatchObject([{ sequence: 1, event: "collection.success", created_at: event?.created_at }]);
    const queries: Parameters<typeof deliveries>[0][] = [{}, { status: "pending" }, { search: event?.reference ?? "" }];
    for (const query of queries) {
      expect(sequences(await deliveries({ ...query, event: "collection.success" }, earlier))).toEqual([1]);
      expect(sequences(await deliveries({ ...query, event: "transfer.success" }, earlier))).toEqual([]);
    }
    await world.owner.query("update deliveries set attempts = 1 where merchant_id = $1", [earlier.id]);
    expect(sequences(await deliveries({ status: "failing", event: "collection.success" }, earlier))).toEqual([1]);
    expect(sequences(await deliveries({ status: "failing", event: "transfer.success" }, earlier))).toEqual([]);
  });

  test("returns the request and the attempts of one delivery, newest first, without a signature", async () => {
    const number = (await events({ search: "3" })).data[0]?.delivery?.number ?? 0;
    const { delivery, request, attempts } = await world.others.request(getDelivery, { merchant, number });
    expect(delivery).toMatchObject({ number, status: "delivered", attempts: 1, last_status: 200 });
    expect(request.headers).toMatchObject({
      "x-service-delivery": String(number),
      "webhook-id": eventId(merchant, BigInt(delivery.sequence)),
    });
    expect(JSON.stringify(request.headers)).not.toMatch(/signature/);
    expect(JSON.parse(request.body)).toMatchObject({ event: "collection.success" });
    expect(attempts).toEqual([
      {
        attempt: 1,
        started_at: "2026-11-21T09:30:00.000+00:00",
        duration_ms: 100,
        status: 200,
        error: null,
        response: "ok",
      },
    ]);
  });
});

describe("another merchant, and the other mode", () => {
  const strangers = (): MerchantScope[] => [
    { id: randomId("mer"), mode: "test" },
    { id: merchant.id, mode: "live" },
  ];

  test("see none of it", async () => {
    const [known] = (await events({ search: "3" })).data;
    const number = known?.delivery?.number ?? 0;
    for (const stranger of strangers()) {
      expect((await events({}, stranger)).data).toEqual([]);
      expect((await events({ search: "3" }, stranger)).data).toEqual([]);
      expect((await deliveries({}, stranger)).data).toEqual([]);
      expect((await deliveries({ search: String(number) }, stranger)).data).toEqual([]);
      expect(await world.others.request(findEvents, { merchant: stranger, reference: "trf_8" })).toEqual({
        events: [],
      });
      await expect(world.others.request(getEvent, { merchant: stranger, sequence: 3 })).rejects.toMatchObject({
        code: "not_found",
      });
      await expect(world.others.request(getDelivery, { merchant: stranger, number })).rejects.toMatchObject({
        code: "not_found",
      });
    }
    await expect(world.others.request(getEvent, { merchant, sequence: 99 })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(world.others.request(getDelivery, { merchant, number: 99_999 })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

test.each([
  "bm9uc2Vuc2U",
  Buffer.from('["x"]').toString("base64url"),
  Buffer.from('["-1"]').toString("base64url"),
  Buffer.from('["99999999999999999999"]').toString("base64url"),
  Buffer.from('["1","2"]').toString("base64url"),
  "*",
])("a page after %s is refused", async (after) => {
  const refused = {
    code: "validation_failed",
    errors: [expect.objectContaining<Partial<FieldError>>({ param: "after" })],
  };
  await expect(events({ after })).rejects.toMatchObject(refused);
  await expect(deliveries({ after })).rejects.toMatchObject(refused);
});

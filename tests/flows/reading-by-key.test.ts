import {
  CollectionList,
  EventList,
  LoggedEvent,
  runSettlement,
  SettlementList,
  SettlementWithLines,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import { type Client, client } from "../stack/client.ts";
import { sharedStack } from "../stack/shared.ts";

const stack = await sharedStack();

const eventsOf = async (api: Client, query = "") => EventList.parse((await api.get(`/events${query}`)).body);
const eventOf = async (api: Client, id: unknown) => LoggedEvent.parse((await api.get(`/events/${id}`)).body);

async function aPaidShop(amounts: number[]) {
  const merchant = await stack.createMerchant();
  const api = client(stack.baseUrl, merchant.keys.sk_test);
  await api.post("/customer_accounts", { customer_reference: "cust_42", customer_name: "Ada Obi" });
  for (const amount of amounts)
    await api.post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount });
  const received = await merchant.untilReceived("test", amounts.length);
  return { merchant, api, received };
}

test("whatever a webhook said is read again, to the byte, under the id that it was sent with", async () => {
  const { api, received } = await aPaidShop([100, 200, 300]);
  const log = await eventsOf(api);
  expect(log).toMatchObject({ has_more: false, next: 3, mode: "test" });
  expect(log.data.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  for (const { headers, raw } of received) {
    const event = await eventOf(api, headers["webhook-id"]);
    expect(event.body).toBe(raw.toString());
    expect(event.sequence).toBe(Number(headers["x-service-sequence"]));
    expect(event.delivery).toMatchObject({ status: expect.stringMatching(/pending|delivered/) });
    const { body: collection } = await api.get(`/collections/${event.reference}`);
    expect(collection).toMatchObject(JSON.parse(event.body).data);
    expect(collection).toMatchObject({ event: { id: event.id, sequence: event.sequence }, settlement_id: null });
  }
});

test("a gap in the sequence is filled from the log, and an event can be sent again", async () => {
  const { merchant, api } = await aPaidShop([100, 200]);
  const { data: missed } = await eventsOf(api, "?after_sequence=1");
  expect(missed).toMatchObject([{ sequence: 2 }]);
  const { id, body: bytes } = await eventOf(api, missed[0]?.id);
  await until("it was acknowledged", async () => (await eventOf(api, id)).delivery?.status === "delivered");
  expect(await api.post(`/events/${id}/replay`, {})).toMatchObject({ status: 200, body: { id } });
  const again = (await merchant.untilReceived("test", 3))[2];
  expect([again?.headers["webhook-id"], again?.raw.toString()]).toEqual([id, bytes]);
  const range = { after_sequence: 0, up_to_sequence: 2 };
  expect(await api.post("/events/replay", range)).toMatchObject({ status: 200, body: { ...range, events: 2 } });
  expect(new Set((await merchant.untilReceived("test", 5)).slice(3).map(({ raw }) => raw.toString())).size).toBe(2);
});

test("a server that follows the log gets each event as it happens", async () => {
  const { api } = await aPaidShop([100]);
  const follow = (after: number) => eventsOf(api, `?after_sequence=${after}&wait=50`);
  expect((await follow(0)).next).toBe(1);
  const next = follow(1);
  await api.post("/customer_accounts/cust_42/simulate_payment", { outcome: "paid", amount: 200 });
  expect((await next).data).toMatchObject([{ sequence: 2 }]);
});

test("after a settlement its collections name it, it names its collections, and they add up", async () => {
  const { merchant, api } = await aPaidShop([100, 200]);
  const { settlement } = await stack.bus.request(runSettlement, { merchant: { id: merchant.id, mode: "test" } });
  const id = settlement?.reference;
  const settled = CollectionList.parse((await api.get(`/collections?settlement_id=${id}`)).body).data;
  expect(settled.map(({ amount }) => amount)).toEqual([10_000n, 20_000n]);
  const { body: listed } = await api.get("/collections?amount=200");
  expect(listed.data).toMatchObject([{ amount: 200, settlement_id: id }]);

  const [only] = SettlementList.parse((await api.get("/settlements")).body).data;
  const read = SettlementWithLines.parse((await api.get(`/settlements/${id}`)).body);
  expect(read).toMatchObject({ ...only, lines: { has_more: false, next: null } });
  expect(read.lines.data.map(({ collection_reference }) => collection_reference)).toEqual(
    settled.map(({ reference }) => reference),
  );
  const sumOf = (of: "amount" | "fee" | "net") => settled.reduce((sum, collection) => sum + collection[of], 0n);
  expect(read.totals).toEqual({ amount: sumOf("amount"), fee: sumOf("fee"), net: read.amount });
  expect(read.lines.data.reduce((sum, { net }) => sum + net, 0n)).toBe(sumOf("net"));
  const first = SettlementWithLines.parse((await api.get(`/settlements/${id}?limit=1`)).body).lines;
  const second = SettlementWithLines.parse(
    (await api.get(`/settlements/${id}?limit=1&after=${first.next}`)).body,
  ).lines;
  expect([...first.data, ...second.data]).toEqual(read.lines.data);
});

test("sessions are listed, and a pending one can be cancelled", async () => {
  const { api } = await aPaidShop([]);
  const { body } = await api.post("/payments", { amount: 500, reference: "order-1" });
  expect((await api.get("/payments?merchant_reference=order-1")).body).toMatchObject({ data: [body], has_more: false });
  const cancelled = await api.post(`/payments/${body.reference}/cancel`, {});
  expect(cancelled).toMatchObject({ status: 200, body: { status: "expired" } });
  expect((await api.get("/payments?status=pending")).body.data).toEqual([]);
});

test("nothing of it is shown to another merchant or in the other mode", async () => {
  const { merchant, api } = await aPaidShop([100]);
  const [event] = (await eventsOf(api)).data;
  const other = await stack.createMerchant();
  for (const key of [other.keys.sk_test, merchant.keys.sk_live]) {
    const stranger = client(stack.baseUrl, key);
    for (const path of [`/events/${event?.id}`, `/collections/${event?.reference}`])
      expect(await stranger.get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await stranger.post(`/events/${event?.id}/replay`, {})).status).toBe(404);
    expect((await stranger.post("/events/replay", { after_sequence: 0, up_to_sequence: 1 })).status).toBe(400);
    for (const path of ["/events", "/collections", "/payments", "/settlements"])
      expect((await stranger.get(path)).body.data).toEqual([]);
  }
});

test("a misspelt filter is refused by name", async () => {
  const { api } = await aPaidShop([]);
  for (const path of ["/collections?customer=cust_42", "/events?after=1", "/transfers?ref=x", "/banks?type=x"])
    expect(await api.get(path)).toMatchObject({
      status: 400,
      body: { code: "validation_failed", errors: [{ param: path.split(/[?=]/)[1], code: "unrecognized" }] },
    });
});

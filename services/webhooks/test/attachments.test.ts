import {
  attachmentRecorded,
  CollectionAttached,
  collectionAttached,
  collectionSucceeded,
  eraseEvents,
  listAttachments,
  listReceived,
} from "@collect/contracts";
import { aMerchant, recordFacts, startReceiver, until } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionAttached as draftOf } from "../src/domain/event.ts";
import { restoreEvents } from "../src/store/recovery.ts";
import { aCollection, type Collection, setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
const facts = await recordFacts(world.others, attachmentRecorded);
const recordedOf = ({ intakeId }: Collection) => facts.all.filter((fact) => fact.intakeId === intakeId);

/** Money that matched nothing, and the same once a person has attached it to a session. */
function anAttached(merchant = aMerchant()) {
  const unmatched = aCollection({ merchant, customer: null, metadata: {} });
  const names = { paymentReference: "pay_1", merchantReference: "order-1", payerDetailsName: "Ada Obi" };
  return { merchant, unmatched, attached: { ...unmatched, ...names, metadata: { branch: "yaba" } } };
}
const eventsOf = async ({ intakeId }: Collection) =>
  (
    await world.owner.query(
      "select key, kind, sequence, body, received_at, created_at from events where key like '%' || $1 order by sequence",
      [intakeId],
    )
  ).rows;

test("an attached collection is one more event, signed and numbered, after that of the money and however often it comes", async () => {
  const receiver = await startReceiver();
  const { merchant, unmatched, attached } = anAttached();
  await setUrl(world, merchant, receiver.url);
  // The money's event is not recorded yet: it comes again later, as payments sees to.
  await world.others.publish(collectionAttached, [attached]);
  await world.others.publish(collectionSucceeded, [unmatched]);
  await receiver.count(1);
  expect(recordedOf(attached)).toEqual([]);
  for (let times = 1; times <= 3; times++) {
    await world.others.publish(collectionAttached, [attached, attached]);
    await until("recorded", () => recordedOf(attached).length >= times);
  }
  const sent = await receiver.count(2);
  await untilStatuses(world, merchant, "delivered", "delivered");
  expect(sent.map(({ headers }) => [headers["x-service-sequence"], headers["x-service-event"]])).toEqual([
    ["1", "collection.success"],
    ["2", "collection.attached"],
  ]);
  const [money, whose] = sent.map(({ raw }) => JSON.parse(raw.toString()).data);
  expect(money).toMatchObject({ payment_reference: null, merchant_reference: null, customer_name: null, metadata: {} });
  expect(whose).toEqual({
    ...money,
    ...{ payment_reference: "pay_1", merchant_reference: "order-1", customer_name: "Ada Obi" },
    metadata: { branch: "yaba" },
  });
  const [first, ...again] = recordedOf(attached);
  expect(first).toMatchObject({ sequence: 2, reference: attached.reference });
  expect(new Set(again.map((fact) => JSON.stringify(fact)))).toEqual(new Set([JSON.stringify(first)]));
  await receiver.stop();
});

test("it is no money: the self-audit counts the event of the money only", async () => {
  const { unmatched, attached } = anAttached();
  await world.others.publish(collectionSucceeded, [unmatched]);
  const span = { from: unmatched.receivedAt, to: new Date(Date.parse(unmatched.receivedAt) + 1_000).toISOString() };
  const audited = async () =>
    (await world.others.request(listReceived.webhooks, span)).rows.filter(
      (row) => row.intake_id === unmatched.intakeId,
    );
  const before = await until("recorded", async () => (await audited()).length > 0 && audited());
  await world.others.publish(collectionAttached, [attached]);
  await until("recorded", () => recordedOf(attached).length > 0);
  expect((await eventsOf(attached)).map(({ received_at }) => received_at === null)).toEqual([false, true]);
  expect(await audited()).toEqual(before);
});

test("payments reads back what was attached, and a lost event is recorded again under its number, to the byte", async () => {
  const { merchant, unmatched, attached } = anAttached();
  await world.others.publish(collectionSucceeded, [unmatched]);
  await until("the money is recorded", async () => (await eventsOf(unmatched)).length === 1);
  await world.others.publish(collectionAttached, [attached]);
  await until("recorded", () => recordedOf(attached).length > 0);
  const { rows, next } = await world.others.request(listAttachments, {
    since: "2026-11-01T00:00:00.000Z",
    after: null,
  });
  expect(next).toBeNull();
  expect(rows.find(({ intake_id }) => intake_id === attached.intakeId)).toMatchObject({
    ...{ merchant, payment_reference: "pay_1", merchant_reference: "order-1", customer_reference: null },
    ...{ customer_name: "Ada Obi", metadata: { branch: "yaba" } },
  });
  const [, before] = await eventsOf(attached);
  await world.owner.query("delete from events where key = $1", [before.key]);
  const lost = { ...draftOf(attached, new Date(before.created_at)), sequence: 2, deliveryNumber: null };
  for (let times = 0; times < 2; times++) expect(await restoreEvents(world.pool, [lost])).toEqual([]);
  expect((await eventsOf(attached))[1]).toEqual(before);
});

test("an erasure replaces the names in it too, and returns the hash of the money's event only", async () => {
  const { unmatched, attached } = anAttached();
  await world.others.publish(collectionSucceeded, [unmatched]);
  await until("the money is recorded", async () => (await eventsOf(unmatched)).length === 1);
  await world.others.publish(collectionAttached, [attached]);
  await until("recorded", () => recordedOf(attached).length > 0);
  const { events } = await world.others.request(eraseEvents, { kind: "payer", intake_ids: [attached.intakeId] });
  expect(events).toMatchObject([{ intake_id: attached.intakeId }]);
  const [, { body }] = await eventsOf(attached);
  const { data } = CollectionAttached.parse(JSON.parse(body.toString()));
  expect(data).toMatchObject({
    customer_name: "Erased",
    payer_name: "Erased",
    metadata: {},
    payment_reference: "pay_1",
  });
});

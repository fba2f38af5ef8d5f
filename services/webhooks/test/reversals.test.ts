import {
  CollectionReversed,
  collectionReversed,
  collectionSucceeded,
  type Fact,
  listAuditedReversals,
  listReceived,
  reversalRecorded,
} from "@collect/contracts";
import { aMerchant, randomId, recordFacts, startReceiver, until } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionReversal } from "../src/domain/event.ts";
import { restoreEvents } from "../src/store/recovery.ts";
import { aCollection, type Collection, setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
const facts = await recordFacts(world.others, reversalRecorded);

type Reversal = Fact<typeof collectionReversed>;
const recordedOf = ({ intakeId }: Reversal) => facts.all.filter((fact) => fact.intakeId === intakeId);

const aReversal = (collection: Collection, amount: bigint, amountReversed = amount): Reversal => ({
  ...{
    intakeId: randomId("int"),
    creditId: collection.intakeId,
    merchant: collection.merchant,
    reference: randomId("rev"),
  },
  ...{
    collectionReference: collection.reference,
    amount,
    fee: amount / 100n,
    net: amount - amount / 100n,
    currency: "NGN",
  },
  ...{ collectionAmount: collection.amount, amountReversed, accountNumber: collection.accountNumber },
  ...{ customerReference: "cust_42", paymentReference: "pay_1", merchantReference: "order-1" },
  reversedAt: "2026-11-22T09:30:00.000+00:00",
});

test("a reversal is an event of its own, signed and numbered, after that of the collection and however often it comes", async () => {
  const receiver = await startReceiver();
  const merchant = aMerchant();
  await setUrl(world, merchant, receiver.url);
  const collection = aCollection({ merchant });
  const [first, second] = [aReversal(collection, 40_000n), aReversal(collection, 1_000n, 41_000n)];
  // The collection's event is not recorded yet: accounts drives it again later.
  await world.others.publish(collectionReversed, [first]);
  await world.others.publish(collectionSucceeded, [collection]);
  await receiver.count(1);
  expect(recordedOf(first)).toEqual([]);
  for (let times = 1; times <= 3; times++) {
    await world.others.publish(collectionReversed, [second, first, second]);
    await until("recorded", () => recordedOf(second).length >= times);
  }
  const sent = await receiver.count(3);
  await untilStatuses(world, merchant, "delivered", "delivered", "delivered");
  expect(sent.map(({ headers }) => [headers["x-service-sequence"], headers["x-service-event"]])).toEqual([
    ["1", "collection.success"],
    ["2", "collection.reversed"],
    ["3", "collection.reversed"],
  ]);
  const [, body] = sent.map(({ raw }) => JSON.parse(raw.toString()));
  expect(CollectionReversed.safeParse(body).success).toBe(true);
  expect(body.data).toEqual({
    ...{ reference: first.reference, collection_reference: collection.reference, currency: "NGN" },
    ...{ amount: 400, fee: 4, net: 396, amount_reversed: 400 },
    ...{ collection_amount: Number(collection.amount) / 100, account_number: collection.accountNumber },
    ...{ customer_reference: "cust_42", payment_reference: "pay_1", merchant_reference: "order-1" },
    reversed_at: first.reversedAt,
  });
  expect(recordedOf(first)[0]).toMatchObject({ sequence: 2, reference: first.reference });
  expect(new Set(recordedOf(first).map((fact) => JSON.stringify(fact))).size).toBe(1);
  const { reversals } = await world.others.request(listAuditedReversals.webhooks, { after: "", up_to: null });
  const ids = [first, second].map(({ intakeId }) => intakeId).toSorted();
  expect(reversals.map(({ reversal_id }) => reversal_id)).toEqual(ids);
  const up_to = ids[0] ?? "";
  const [one, ...others] = (await world.others.request(listAuditedReversals.webhooks, { after: "", up_to })).reversals;
  const amount = up_to === first.intakeId ? "40000" : "1000";
  expect(one).toEqual({ reversal_id: up_to, kind: "reversal", merchant_id: merchant.id, mode: merchant.mode, amount });
  expect(others).toEqual([]);
  await receiver.stop();
});

test("another content under the same reversal is refused, and the event stays", async () => {
  const collection = aCollection({ merchant: aMerchant() });
  const reversal = aReversal(collection, 100n);
  await world.others.publish(collectionSucceeded, [collection]);
  await until("recorded", async () => {
    await world.others.publish(collectionReversed, [reversal]);
    return recordedOf(reversal).length > 0;
  });
  await world.others.publish(collectionReversed, [{ ...reversal, amount: 101n }]);
  await until("dead", async () => {
    const dead = "select error from dead_letters where natural_key = $1";
    return (await world.owner.query(dead, [reversal.intakeId])).rows[0]?.error.includes("another amount");
  });
});

test("it is no money of its minute, and after a restore it has its numbers and its bytes again", async () => {
  const collection = aCollection({ merchant: aMerchant() });
  const reversal = aReversal(collection, 100n);
  await world.others.publish(collectionSucceeded, [collection]);
  const span = { from: collection.receivedAt, to: new Date(Date.parse(collection.receivedAt) + 1_000).toISOString() };
  const audited = async () =>
    (await world.others.request(listReceived.webhooks, span)).rows.filter(
      (row) => row.merchant_id === collection.merchant.id,
    );
  const before = await until("recorded", async () => (await audited()).length > 0 && audited());
  await world.others.publish(collectionReversed, [reversal]);
  const recorded = await until("recorded", () => recordedOf(reversal)[0]);
  expect(await audited()).toEqual(before);
  const draft = collectionReversal(reversal, new Date(recorded.recordedAt));
  const { sequence, deliveryNumber } = recorded;
  expect(await restoreEvents(world.pool, [{ ...draft, sequence, deliveryNumber }])).toEqual([]);
  const { rows } = await world.owner.query("select body from events where key = $1", [draft.key]);
  expect(rows.map(({ body }) => body.equals(draft.body))).toEqual([true]);
});

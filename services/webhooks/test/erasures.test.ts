import { collectionRecorded, collectionSucceeded, eraseEvents, surveyEvents } from "@collect/contracts";
import { aMerchant, recordFacts, startReceiver, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { erasedBody } from "../src/domain/erased-body.ts";
import { aCollection, attemptsOf, setUrl, untilStatuses, useWebhooks } from "./service.ts";

const world = await useWebhooks();
const recorded = await recordFacts(world.others, collectionRecorded);
const receiver = await startReceiver();
afterAll(() => receiver.stop());
receiver.behave((response, { raw }) => response.end(raw));

const rowOf = async (intakeId: string) =>
  (
    await world.owner.query(
      "select body, encode(sha256(body), 'hex') as hash, sequence, delivery_number, amount_kobo, created_at from events where key = $1",
      [`collection.success:${intakeId}`],
    )
  ).rows[0];
const erase = (intakeId: string, kind: "customer" | "payer" = "customer") =>
  world.others.request(eraseEvents, { kind, intake_ids: [intakeId] });
const survey = (...intake_ids: string[]) => world.others.request(surveyEvents, { intake_ids });

/** A delivered event of a customer's collection, to which the merchant's server responded with its body. */
async function aDelivered() {
  const collection = aCollection({ merchant: aMerchant() });
  await setUrl(world, collection.merchant, receiver.url);
  await world.others.publish(collectionSucceeded, [collection]);
  await untilStatuses(world, collection.merchant, "delivered");
  return { collection, before: await rowOf(collection.intakeId) };
}

test("an erasure replaces the names of an event and forgets the response; numbers, amount and time stay", async () => {
  const { collection, before } = await aDelivered();
  const { intakeId, merchant } = collection;
  expect(await survey(intakeId)).toEqual({ events: 1, pending: 0, responses: 1 });
  const { events } = await erase(intakeId);
  const after = await rowOf(intakeId);
  expect(events).toEqual([{ intake_id: intakeId, body_hash: after.hash }]);
  const [was, is] = [before, after].map(({ body }) => JSON.parse(body.toString()));
  expect(is).toEqual({ ...was, data: { ...was.data, payer_name: "Erased", customer_name: "Erased" } });
  const { body: _, hash: __, ...others } = before;
  expect(after).toMatchObject(others);
  expect((await attemptsOf(world, merchant)).map(({ status, response }) => [status, response])).toEqual([[200, null]]);
  expect(await survey(intakeId)).toEqual({ events: 1, pending: 0, responses: 0 });
});

test("erased again, and concurrently, an event keeps its hash; of a payer the customer's name stays", async () => {
  const { collection, before } = await aDelivered();
  await erase(collection.intakeId, "payer");
  const data = JSON.parse((await rowOf(collection.intakeId)).body.toString()).data;
  expect(data).toMatchObject({ payer_name: "Erased", customer_name: "Ada Obi" });
  const erased = await Promise.all(Array.from({ length: 5 }, () => erase(collection.intakeId)));
  const hashes = erased.flatMap(({ events }) => events.map(({ body_hash }) => body_hash));
  expect(new Set(hashes)).toEqual(new Set([(await rowOf(collection.intakeId)).hash]));
  expect((await rowOf(collection.intakeId)).body).toEqual(erasedBody(before.body, "customer"));
});

test("the facts of an erased event come again, with or without the names, and change nothing", async () => {
  const { collection } = await aDelivered();
  await erase(collection.intakeId);
  const { hash, body } = await rowOf(collection.intakeId);
  const count = recorded.all.length;
  await world.others.publish(collectionSucceeded, [collection]);
  await until("it is recorded again", () => recorded.all.length > count);
  expect(recorded.all.at(-1)).toMatchObject({ intakeId: collection.intakeId, bodyHash: hash });
  expect((await rowOf(collection.intakeId)).body).toEqual(body);
});

test("a delivery that is not over is counted, and an unknown transfer has no event", async () => {
  const { collection } = await aDelivered();
  await world.owner.query(
    "update deliveries set status = 'pending', next_attempt_at = now() + interval '1 hour' where merchant_id = $1",
    [collection.merchant.id],
  );
  expect(await survey(collection.intakeId, "int_unknown")).toMatchObject({ events: 1, pending: 1 });
  expect(await erase("int_unknown")).toEqual({ events: [] });
});

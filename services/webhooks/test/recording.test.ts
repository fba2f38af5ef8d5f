import { CollectionSuccess, collectionRecorded, collectionSucceeded, deadLetterRequests } from "@collect/contracts";
import { createPool, schemaDifference, transaction } from "@collect/database";
import { aMerchant, randomId, recordFacts, startReceiver, until } from "@collect/testing";
import { expect, test } from "vitest";
import { collectionSuccess } from "../src/domain/event.ts";
import { recordEvents } from "../src/store/events.ts";
import { aCollection, deliveriesOf, directory, type Recorded, setUrl, useWebhooks } from "./service.ts";

const world = await useWebhooks();
const facts = await recordFacts(world.others, collectionRecorded);

/** Facts about one collection, once there are this many. */
function recordedTimes(times: number, intakeId: string): Promise<Recorded[]> {
  return until(`${intakeId} is recorded`, () => {
    const found = facts.all.filter((fact) => fact.intakeId === intakeId);
    return found.length >= times && found;
  });
}

test("a collection becomes a numbered event with its body, and accounts is notified", async () => {
  const collection = aCollection();
  await world.others.publish(collectionSucceeded, [collection]);
  const [fact] = await recordedTimes(1, collection.intakeId);
  expect(fact).toMatchObject({ merchant: collection.merchant, reference: collection.reference, sequence: 1 });
  const { rows } = await world.owner.query("select * from events where merchant_id = $1", [collection.merchant.id]);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ kind: "collection.success", sequence: 1n, created_at: fact?.recordedAt });
  const body = CollectionSuccess.parse(JSON.parse(rows[0].body.toString()));
  expect(body.created_at).toBe(fact?.recordedAt);
  expect(body.data).toMatchObject({ amount: 1_000_000n, fee: 10_000n, net: 990_000n, payer_name: "Chidi Eze" });
});

test("without a URL the event is recorded and numbered, and a URL set later does not send it by itself", async () => {
  const receiver = await startReceiver();
  const merchant = aMerchant();
  const [before, after] = [aCollection({ merchant }), aCollection({ merchant })];
  await world.others.publish(collectionSucceeded, [before]);
  expect(await recordedTimes(1, before.intakeId)).toMatchObject([{ sequence: 1, deliveryNumber: null }]);

  await setUrl(world, merchant, receiver.url);
  await world.others.publish(collectionSucceeded, [after, before]);
  const [sent] = await receiver.count(1);
  expect(sent?.headers).toMatchObject({ "x-service-sequence": "2", "x-service-attempt": "1" });
  expect(await recordedTimes(2, before.intakeId)).toMatchObject([{ deliveryNumber: null }, { deliveryNumber: null }]);
  expect(await deliveriesOf(world, merchant)).toHaveLength(1);
  await receiver.stop();
});

test("a repeat publishes the identical fact and creates no second event or delivery", async () => {
  const receiver = await startReceiver();
  const collection = aCollection();
  await setUrl(world, collection.merchant, receiver.url);
  await world.others.publish(collectionSucceeded, [collection]);
  await receiver.count(1);
  await setUrl(world, collection.merchant, `${receiver.url}/moved`);
  await world.others.publish(collectionSucceeded, [collection]);
  await recordedTimes(2, collection.intakeId);
  await world.others.publish(collectionSucceeded, [aCollection({ merchant: collection.merchant }), collection]);
  const [first, ...again] = await recordedTimes(3, collection.intakeId);
  expect(again).toEqual([first, first]);
  expect(first?.deliveryNumber).toEqual(expect.any(Number));
  expect(await deliveriesOf(world, collection.merchant)).toHaveLength(2);
  await receiver.stop();
});

test.each([
  ["amount", { amount: 999n }],
  ["merchant", { merchant: aMerchant() }],
  ["reference", { reference: "col_other" }],
])(
  "a repeat with another %s is refused and stored as a dead letter; the others of its batch are recorded",
  async (what, other) => {
    const collection = aCollection();
    await world.others.publish(collectionSucceeded, [collection]);
    await recordedTimes(1, collection.intakeId);
    const sibling = aCollection({ merchant: collection.merchant });
    await world.others.publish(collectionSucceeded, [{ ...collection, ...other }, sibling]);
    expect(await recordedTimes(1, sibling.intakeId)).toMatchObject([{ sequence: 2 }]);
    const list = deadLetterRequests.webhooks?.list;
    if (!list) throw new Error("webhooks answers for its dead letters");
    const { dead_letters } = (await world.others.request(list, {})) as {
      dead_letters: { natural_key: string; error: string }[];
    };
    const letter = dead_letters.find(({ natural_key }) => natural_key === collection.intakeId);
    expect(letter?.error).toBe(`collection.success:${collection.intakeId} is recorded with another ${what}`);
    const { rows } = await world.owner.query("select count(*) from events where key = $1", [
      `collection.success:${collection.intakeId}`,
    ]);
    expect(rows[0].count).toBe(1n);
  },
);

test("test and live of one merchant are numbered independently", async () => {
  const id = randomId("mer");
  const both = (["test", "live"] as const).map((mode) => aCollection({ merchant: { id, mode } }));
  await world.others.publish(collectionSucceeded, both);
  for (const { intakeId } of both) expect(await recordedTimes(1, intakeId)).toMatchObject([{ sequence: 1 }]);
});

test("six concurrent writers, with repeats, leave no gap and no duplicate in any sequence", async () => {
  const pool = createPool({ url: world.database.service, service: "webhooks", log: world.log, max: 6 });
  const merchants = Array.from({ length: 5 }, () => aMerchant());
  await setUrl(world, merchants[0] ?? aMerchant(), "http://127.0.0.1:9/");
  const drafts = Array.from({ length: 300 }, (_, n) => {
    const merchant = merchants[n % merchants.length] ?? aMerchant();
    return collectionSuccess(aCollection({ merchant }), new Date());
  });
  // At least two writers submit each event, each in a different order.
  const writers = Array.from({ length: 6 }, (_, writer) =>
    drafts.filter((_, n) => (n + writer) % 3 !== 0).sort(() => Math.random() - 0.5),
  );
  const results = await Promise.all(
    writers.map(async (mine) => {
      const all = [];
      for (let from = 0; from < mine.length; from += 20)
        all.push(...(await recordEvents(pool, mine.slice(from, from + 20), 60_000)));
      return all;
    }),
  );
  const numbers = new Map<string, Set<string>>();
  for (const { key, sequence, delivery_number } of results.flat())
    numbers.set(key, (numbers.get(key) ?? new Set()).add(`${sequence}/${delivery_number}`));
  expect([...numbers.values()].every(({ size }) => size === 1)).toBe(true);
  for (const [index, { id }] of merchants.entries()) {
    const { rows } = await world.owner.query<{ sequence: bigint }>(
      "select sequence from events where merchant_id = $1 order by 1",
      [id],
    );
    expect(rows.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    const { rows: counters } = await world.owner.query("select sequence from counters where merchant_id = $1", [id]);
    expect(counters).toEqual([{ sequence: 60n }]);
    const { rows: deliveries } = await world.owner.query(
      "select count(distinct sequence) as n from deliveries where merchant_id = $1",
      [id],
    );
    expect(deliveries).toEqual([{ n: index === 0 ? 60n : 0n }]);
  }
  await pool.end();
});

test("a batch that rolls back leaves no gap", async () => {
  const merchant = aMerchant();
  const draft = () => collectionSuccess(aCollection({ merchant }), new Date());
  await transaction(world.pool, (tx) => recordEvents(tx, [draft()], 60_000));
  const undone = transaction(world.pool, async (tx) => {
    await recordEvents(tx, [draft(), draft()], 60_000);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const [next] = await transaction(world.pool, (tx) => recordEvents(tx, [draft()], 60_000));
  expect(next?.sequence).toBe(2n);
});

test.each([
  "delete from events",
  "update events set sequence = 9",
  "update attempts set status = 200",
  "delete from deliveries",
])("the service's own role may not `%s`", async (sql) => {
  await expect(world.pool.query(sql)).rejects.toThrow(/permission denied/);
});

test("the migrations create exactly schema.prisma", async () => {
  expect(await schemaDifference({ url: world.database.owner, directory })).toEqual([]);
});

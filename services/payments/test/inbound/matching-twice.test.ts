import { type Consumer, CURRENT_EPOCHS } from "@collect/bus";
import { collectionPosted, collectionSucceeded, type Fact, getPayment, type sessionChanged } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { recordFacts, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { acceptCollections } from "../../src/inbound/handlers/collections.ts";
import {
  aCollectionFor,
  aCustomer,
  aShop,
  createPayment,
  kobo,
  type Posted,
  poolOf,
  rowOf,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions({ expiring: { graceMs: 86_400_000 } });
const succeeded = await recordFacts(world.others, collectionSucceeded);
const pools = [poolOf(world), poolOf(world)] as const;
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
});
const consumer = acceptCollections({
  pools: { live: pools[0], test: pools[0] },
  bus: world.bus,
  epochs: CURRENT_EPOCHS,
  toleranceMs: 120_000,
});

type Succeeded = Fact<typeof collectionSucceeded>;
type Changed = Fact<typeof sessionChanged>;

/**
 * Handles one batch as a consumer does, and returns what it would publish. A batch that fails with a serialization
 * failure is redelivered.
 */
async function handleBatch(pool: Pool, posted: Posted[]): Promise<{ succeeded: Succeeded[]; changed: Changed[] }> {
  const published: { succeeded: Succeeded[]; changed: Changed[] } = { succeeded: [], changed: [] };
  const outgoing = {
    publish: (event: { subject: string }, facts: unknown[]) => {
      if (event === collectionSucceeded) published.succeeded.push(...(facts as Succeeded[]));
      else published.changed.push(...(facts as Changed[]));
    },
    afterwards: () => {},
  };
  try {
    await consumer.handle(pool, outgoing as Parameters<Consumer["handle"]>[1], posted);
    return published;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "40001") return handleBatch(pool, posted);
    throw error;
  }
}
const byIntake = (facts: Succeeded[]) => facts.toSorted((a, b) => (a.intakeId < b.intakeId ? -1 : 1));

test("several transfers for one session in one batch are applied in the order of receipt", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const due = kobo(session.amount);
  const [first, second, third] = [
    aCollectionFor(session, merchant, { amount: 100_000n, afterS: 2 }),
    aCollectionFor(session, merchant, { amount: due - 100_000n, afterS: 3 }),
    aCollectionFor(session, merchant, { afterS: 4 }),
  ];
  const { succeeded, changed } = await handleBatch(pools[0], [third, first, second]);
  const references = new Map(succeeded.map((fact) => [fact.intakeId, fact.reference]));
  expect(references.get(first.intakeId)).toBe(session.reference);
  expect(changed).toMatchObject([{ version: 2, status: "paid", amountReceived: 2n * due, paidAt: second.receivedAt }]);
});

test("a repeat is not matched again and is published identically, even beside a new transfer for the same session", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  const [first, second] = [aCollectionFor(session, merchant), aCollectionFor(session, merchant, { afterS: 3 })];
  const once = await handleBatch(pools[0], [first]);
  const again = await handleBatch(pools[0], [first]);
  expect(again).toEqual({ ...once, changed: [] });
  const both = await handleBatch(pools[0], [first, second]);
  expect(both.succeeded.find(({ intakeId }) => intakeId === first.intakeId)).toEqual(once.succeeded[0]);
  expect((await rowOf(world, session.reference)).amount_received).toBe(2n * kobo(session.amount));
});

test("two consumers with the same batch together do what one would have done", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const sessions = [];
  for (let n = 0; n < 8; n++) sessions.push(await createPayment(world, merchant, n % 2 ? customer : {}));
  const batch = sessions.flatMap((one, n) => [
    aCollectionFor(one, merchant, { afterS: 10 + n }),
    aCollectionFor(one, merchant, { amount: 70_000n, afterS: 20 + n }),
  ]);
  const shuffled = batch.toReversed();
  const results = await Promise.all([handleBatch(pools[0], batch), handleBatch(pools[1], shuffled)]);
  expect(byIntake(results[0].succeeded)).toEqual(byIntake(results[1].succeeded));
  const published = results[0].succeeded;
  expect(new Set(published.map(({ reference }) => reference)).size).toBe(batch.length);
  for (const { reference } of sessions) {
    const payment = await world.others.request(getPayment, { merchant, reference });
    const own = published.filter((fact) => fact.paymentReference === reference);
    const sum = own.reduce((total, { amount }) => total + amount, 0n);
    expect(kobo(payment.amount_received)).toBe(sum);
    expect(payment.collections.map((one) => one.reference).toSorted()).toEqual(
      own.map((one) => one.reference).toSorted(),
    );
  }
});

test("concurrent transfers for one session on two consumers are all counted, and exactly one is the first", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  // Both have read the session before either may change it.
  const holder = await world.owner.connect();
  await holder.query("begin");
  await holder.query("select from sessions where reference = $1 for update", [session.reference]);
  const both = Promise.all([
    handleBatch(pools[0], [aCollectionFor(session, merchant, { amount: 100_000n })]),
    handleBatch(pools[1], [aCollectionFor(session, merchant, { amount: 50_000n, afterS: 3 })]),
  ]);
  await until("both wait for the session", async () => {
    const { rowCount } = await world.owner.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from sessions%' and datname = current_database()",
    );
    return rowCount === 2;
  });
  await holder.query("commit");
  holder.release();
  const references = (await both).flatMap(({ succeeded }) => succeeded.map(({ reference }) => reference));
  expect(references.filter((reference) => reference === session.reference)).toHaveLength(1);
  expect(await rowOf(world, session.reference)).toMatchObject({
    status: "underpaid",
    amount_received: 150_000n,
    version: 3,
  });
});

test("a concurrent duplicate that claimed a collection without a session wins, and the other consumer finds it recorded", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  const posted = aCollectionFor(session, merchant);
  // A concurrent duplicate claims the collection without a session, and commits only while the other consumer is at
  // work.
  const duplicate = await world.owner.connect();
  await duplicate.query("begin");
  const { rows: payers } = await duplicate.query(
    "insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, 'test', '', '', 'x') returning id",
    [merchant.id],
  );
  await duplicate.query(
    `insert into collections (intake_id, reference, merchant_id, mode, account_number, payer_id, amount, fee, net, currency,
       paid_at, received_at, posted_at) values ($1, $2, $3, 'test', $4, $5, $6, 0, $6, 'NGN', now(), now(), now())`,
    [posted.intakeId, `col_${posted.intakeId}`, merchant.id, posted.accountNumber, payers[0].id, posted.amount],
  );
  const handling = handleBatch(pools[0], [posted]);
  await until("it waits for the duplicate", async () => {
    const { rowCount } = await world.owner.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into collections%' and datname = current_database()",
    );
    return rowCount;
  });
  await duplicate.query("commit");
  duplicate.release();
  const { succeeded, changed } = await handling;
  expect(succeeded).toMatchObject([{ reference: `col_${posted.intakeId}`, paymentReference: null }]);
  expect(changed).toEqual([]);
  expect(await rowOf(world, session.reference)).toMatchObject({ status: "pending", version: 1 });
});

test("a batch that fails halfway leaves nothing behind, and takes effect once when it is redelivered", async () => {
  const merchant = aShop();
  const [one, two] = [await createPayment(world, merchant), await createPayment(world, merchant, aCustomer())];
  await world.owner.query(`
    create function die() returns trigger language plpgsql as $$
    begin raise exception 'power cut' using errcode = '57P01'; end $$`);
  await world.owner.query(`
    create trigger dies before update on sessions for each row when (new.merchant_id = '${merchant.id}')
    execute function die()`);
  const batch = [aCollectionFor(one, merchant), aCollectionFor(two, merchant, { amount: 1_000n })];
  await expect(handleBatch(pools[0], batch)).rejects.toThrow("power cut");
  await world.others.publish(collectionPosted, batch);
  const { rowCount } = await world.owner.query("select from collections where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(0);
  await world.owner.query("drop trigger dies on sessions");
  const published = await until("published", () => {
    const facts = succeeded.all.filter((fact) => fact.merchant.id === merchant.id);
    return facts.length === 2 && facts;
  });
  expect(published.map(({ reference }) => reference).toSorted()).toEqual([one.reference, two.reference].toSorted());
  expect(await rowOf(world, one.reference)).toMatchObject({ status: "paid", version: 2 });
  expect(await rowOf(world, two.reference)).toMatchObject({ status: "underpaid", version: 2 });
});

test("a repeat with another amount is refused, and the rest of its batch takes effect", async () => {
  const merchant = aShop();
  const [one, two] = [await createPayment(world, merchant), await createPayment(world, merchant)];
  const posted = aCollectionFor(one, merchant);
  await handleBatch(pools[0], [posted]);
  const wrong = { ...posted, amount: 1n, fee: 0n, net: 1n };
  await world.others.publish(collectionPosted, [wrong, aCollectionFor(two, merchant)]);
  await until("the other collection is matched", async () => (await rowOf(world, two.reference)).status === "paid");
  await until("a dead letter", async () => {
    const { rowCount } = await world.owner.query("select from dead_letters where natural_key = $1", [posted.intakeId]);
    return rowCount;
  });
  expect(await rowOf(world, one.reference)).toMatchObject({ status: "paid", version: 2 });
});

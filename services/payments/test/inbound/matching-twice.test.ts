import { type Consumer, CURRENT_EPOCHS } from "@collect/bus";
import { collectionPosted, collectionSucceeded, type Fact, getPayment, type sessionChanged } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptCollections } from "../../src/inbound/handlers/collections.ts";
import {
  aCustomer,
  aShop,
  kobo,
  money,
  openOne,
  openSessionsWorld,
  type Posted,
  poolOf,
  rowOf,
  type SessionsWorld,
} from "./sessions-world.ts";

let world: SessionsWorld;
let pools: Pool[];
let consumer: Consumer;
let succeeded: FactLog<typeof collectionSucceeded>;

beforeAll(async () => {
  world = await openSessionsWorld({ expiring: { graceMs: 86_400_000 } });
  succeeded = await recordFacts(world.others, collectionSucceeded);
  pools = [poolOf(world), poolOf(world)];
  const [pool] = pools as [Pool];
  const common = { bus: world.bus, epochs: CURRENT_EPOCHS, toleranceMs: 120_000 };
  consumer = acceptCollections({ pools: { live: pool, test: pool }, ...common });
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await world.stop();
});

type Succeeded = Fact<typeof collectionSucceeded>;
type Changed = Fact<typeof sessionChanged>;

/** One consumer's way with a batch: what it would publish. Given back, it comes again, as on the bus. */
async function take(pool: Pool, posted: Posted[]): Promise<{ succeeded: Succeeded[]; changed: Changed[] }> {
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
    if (error instanceof Error && "code" in error && error.code === "40001") return take(pool, posted);
    throw error;
  }
}
const byIntake = (facts: Succeeded[]) => facts.toSorted((a, b) => (a.intakeId < b.intakeId ? -1 : 1));

test("several payments for one session in one batch are taken in the order in which they were received", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  const due = kobo(opened.amount);
  const [first, second, third] = [
    money(opened, merchant, { amount: 100_000n, afterS: 2 }),
    money(opened, merchant, { amount: due - 100_000n, afterS: 3 }),
    money(opened, merchant, { afterS: 4 }),
  ];
  const { succeeded, changed } = await take(pools[0] as Pool, [third, first, second]);
  const references = new Map(succeeded.map((fact) => [fact.intakeId, fact.reference]));
  expect(references.get(first.intakeId)).toBe(opened.reference);
  expect(changed).toMatchObject([{ version: 2, status: "paid", amountReceived: 2n * due, paidAt: second.receivedAt }]);
});

test("a repeat matches nothing anew and is passed on identically, beside new money for the same session", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  const [first, second] = [money(opened, merchant), money(opened, merchant, { afterS: 3 })];
  const once = await take(pools[0] as Pool, [first]);
  const again = await take(pools[0] as Pool, [first]);
  expect(again).toEqual({ ...once, changed: [] });
  const both = await take(pools[0] as Pool, [first, second]);
  expect(both.succeeded.find(({ intakeId }) => intakeId === first.intakeId)).toEqual(once.succeeded[0]);
  expect((await rowOf(world, opened.reference)).amount_received).toBe(2n * kobo(opened.amount));
});

test("twins on two consumers at once do together what one would have done", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const sessions = [];
  for (let n = 0; n < 8; n++) sessions.push(await openOne(world, merchant, n % 2 ? customer : {}));
  const batch = sessions.flatMap((one, n) => [
    money(one, merchant, { afterS: 10 + n }),
    money(one, merchant, { amount: 70_000n, afterS: 20 + n }),
  ]);
  const shuffled = batch.toReversed();
  const twins = await Promise.all([take(pools[0] as Pool, batch), take(pools[1] as Pool, shuffled)]);
  expect(byIntake(twins[0].succeeded)).toEqual(byIntake(twins[1].succeeded));
  const passedOn = twins[0].succeeded;
  expect(new Set(passedOn.map(({ reference }) => reference)).size).toBe(batch.length);
  for (const { reference } of sessions) {
    const payment = await world.others.request(getPayment, { merchant, reference });
    const own = passedOn.filter((fact) => fact.paymentReference === reference);
    const sum = own.reduce((total, { amount }) => total + amount, 0n);
    expect(kobo(payment.amount_received)).toBe(sum);
    expect(payment.collections.map((one) => one.reference).toSorted()).toEqual(
      own.map((one) => one.reference).toSorted(),
    );
  }
});

test("different money for one session on two consumers at once is all counted, and one of them is the first", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  // Both have seen the session as it is before either may change it.
  const holder = await world.owner.connect();
  await holder.query("begin");
  await holder.query("select from sessions where reference = $1 for update", [opened.reference]);
  const both = Promise.all([
    take(pools[0] as Pool, [money(opened, merchant, { amount: 100_000n })]),
    take(pools[1] as Pool, [money(opened, merchant, { amount: 50_000n, afterS: 3 })]),
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
  expect(references.filter((reference) => reference === opened.reference)).toHaveLength(1);
  expect(await rowOf(world, opened.reference)).toMatchObject({
    status: "underpaid",
    amount_received: 150_000n,
    version: 3,
  });
});

test("whoever saw no session for money and was faster stays right: the other finds it standing", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  const posted = money(opened, merchant);
  // A concurrent duplicate that claimed the money without a session, and commits only while the other is at it.
  const twin = await world.owner.connect();
  await twin.query("begin");
  const { rows: payers } = await twin.query(
    "insert into payers (merchant_id, mode, bank_name, account_number, name) values ($1, 'test', '', '', 'x') returning id",
    [merchant.id],
  );
  await twin.query(
    `insert into collections (intake_id, reference, merchant_id, mode, account_number, payer_id, amount, fee, net, currency,
       paid_at, received_at, posted_at) values ($1, $2, $3, 'test', $4, $5, $6, 0, $6, 'NGN', now(), now(), now())`,
    [posted.intakeId, `col_${posted.intakeId}`, merchant.id, posted.accountNumber, payers[0].id, posted.amount],
  );
  const taking = take(pools[0] as Pool, [posted]);
  await until("it waits for the twin", async () => {
    const { rowCount } = await world.owner.query(
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into collections%' and datname = current_database()",
    );
    return rowCount;
  });
  await twin.query("commit");
  twin.release();
  const { succeeded, changed } = await taking;
  expect(succeeded).toMatchObject([{ reference: `col_${posted.intakeId}`, paymentReference: null }]);
  expect(changed).toEqual([]);
  expect(await rowOf(world, opened.reference)).toMatchObject({ status: "pending", version: 1 });
});

test("a batch that dies in its middle leaves nothing, and does everything once when it comes again", async () => {
  const merchant = aShop();
  const [one, two] = [await openOne(world, merchant), await openOne(world, merchant, aCustomer())];
  await world.owner.query(`
    create function die() returns trigger language plpgsql as $$
    begin raise exception 'power cut' using errcode = '57P01'; end $$`);
  await world.owner.query(`
    create trigger dies before update on sessions for each row when (new.merchant_id = '${merchant.id}')
    execute function die()`);
  const batch = [money(one, merchant), money(two, merchant, { amount: 1_000n })];
  await expect(take(pools[0] as Pool, batch)).rejects.toThrow("power cut");
  await world.others.publish(collectionPosted, batch);
  const { rowCount } = await world.owner.query("select from collections where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(0);
  await world.owner.query("drop trigger dies on sessions");
  const passedOn = await until("passed on", () => {
    const facts = succeeded.all.filter((fact) => fact.merchant.id === merchant.id);
    return facts.length === 2 && facts;
  });
  expect(passedOn.map(({ reference }) => reference).toSorted()).toEqual([one.reference, two.reference].toSorted());
  expect(await rowOf(world, one.reference)).toMatchObject({ status: "paid", version: 2 });
  expect(await rowOf(world, two.reference)).toMatchObject({ status: "underpaid", version: 2 });
});

test("a repeat with another amount is refused, and the sessions of its batch are as the others made them", async () => {
  const merchant = aShop();
  const [one, two] = [await openOne(world, merchant), await openOne(world, merchant)];
  const posted = money(one, merchant);
  await take(pools[0] as Pool, [posted]);
  const wrong = { ...posted, amount: 1n, fee: 0n, net: 1n };
  await world.others.publish(collectionPosted, [wrong, money(two, merchant)]);
  await until("the neighbour is matched", async () => (await rowOf(world, two.reference)).status === "paid");
  await until("a dead letter", async () => {
    const { rowCount } = await world.owner.query("select from dead_letters where natural_key = $1", [posted.intakeId]);
    return rowCount;
  });
  expect(await rowOf(world, one.reference)).toMatchObject({ status: "paid", version: 2 });
});

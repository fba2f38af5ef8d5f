import {
  collectionPosted,
  type collectionSucceeded,
  type Fact,
  getPayment,
  givePayerDetails,
  sessionChanged,
  collectionSucceeded as succeededEvent,
} from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aCustomer,
  aShop,
  kobo,
  letPass,
  money,
  openOne,
  openSessionsWorld,
  type Posted,
  type SessionsWorld,
  type Shop,
  secondsAfter,
} from "./sessions-world.ts";

let world: SessionsWorld;
let succeeded: FactLog<typeof collectionSucceeded>;
let changed: FactLog<typeof sessionChanged>;

beforeAll(async () => {
  // Nothing expires by itself here: a test says when money came.
  world = await openSessionsWorld({ expiring: { graceMs: 86_400_000 } });
  [succeeded, changed] = [
    await recordFacts(world.others, succeededEvent),
    await recordFacts(world.others, sessionChanged),
  ];
});

afterAll(() => world.stop());

/** Lets money come, in one message, and gives what is passed on of each. */
async function pay(...posted: Posted[]): Promise<Fact<typeof collectionSucceeded>[]> {
  await world.others.publish(collectionPosted, posted);
  return Promise.all(
    posted.map(({ intakeId }) => until("passed on", () => succeeded.all.find((fact) => fact.intakeId === intakeId))),
  );
}

const payment = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });

test("exact money pays the session; collection, session and event carry one reference", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, { reference: "order-1" });
  const posted = money(opened, merchant);
  const [fact] = await pay(posted);
  expect(fact).toMatchObject({
    reference: opened.reference,
    paymentReference: opened.reference,
    merchantReference: "order-1",
    customer: null,
    payerDetailsName: null,
  });
  const paid = await payment(merchant, opened.reference);
  expect(paid).toEqual({
    ...opened,
    status: "paid",
    amount_received: opened.amount,
    paid_at: posted.receivedAt,
    collections: [
      {
        reference: opened.reference,
        amount: opened.amount,
        fee: Number(posted.fee) / 100,
        net: Number(posted.net) / 100,
        paid_at: posted.paidAt,
      },
    ],
  });
  const told = await until("told", () => changed.all.find((f) => f.reference === opened.reference && f.version === 2));
  expect(told).toMatchObject({ status: "paid", amountReceived: posted.amount, paidAt: posted.receivedAt });
});

test("the name given at the checkout goes with the money, and a customer's own name before it", async () => {
  const merchant = aShop();
  const [anonymous, named, customers] = [
    await openOne(world, merchant),
    await openOne(world, merchant, { customer_name: "Bola Ade" }),
    await openOne(world, merchant, aCustomer()),
  ];
  const details = { reference: anonymous.reference, name: "Chi Eze", email: "chi@example.com" };
  await world.others.request(givePayerDetails, details);
  const facts = await pay(...[anonymous, named, customers].map((one) => money(one, merchant)));
  expect(facts.map(({ payerDetailsName }) => payerDetailsName)).toEqual(["Chi Eze", "Bola Ade", null]);
  expect(facts[2]?.customer).toMatchObject({ name: "Ada Obi" });
});

test("on a collection account another amount is credited and passed on, and matches nothing", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  for (const amount of [kobo(opened.amount) - 1n, kobo(opened.amount) + 1n]) {
    const posted = money(opened, merchant, { amount });
    const [fact] = await pay(posted);
    expect(fact).toMatchObject({ reference: posted.intakeId.replace("int_", "col_"), paymentReference: null });
  }
  expect(await payment(merchant, opened.reference)).toEqual(opened);
});

test("each of two sessions of one price gets its own money", async () => {
  const merchant = aShop();
  const [one, two] = [await openOne(world, merchant), await openOne(world, merchant)];
  const facts = await pay(money(two, merchant, { afterS: 5 }), money(one, merchant, { afterS: 6 }));
  expect(facts.map(({ reference }) => reference)).toEqual([two.reference, one.reference]);
});

test("on a customer's own account less is underpaid, and what is missing completes it", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  const [part] = await pay(money(opened, merchant, { amount: 100_000n }));
  expect(part?.reference).toBe(opened.reference);
  expect(await payment(merchant, opened.reference)).toMatchObject({
    status: "underpaid",
    amount_received: 1_000,
    paid_at: null,
  });
  const rest = money(opened, merchant, { amount: kobo(opened.amount) - 100_000n, afterS: 40_000 });
  const [topUp] = await pay(rest);
  expect(topUp).toMatchObject({
    reference: rest.intakeId.replace("int_", "col_"),
    paymentReference: opened.reference,
  });
  const paid = await payment(merchant, opened.reference);
  expect(paid).toMatchObject({ status: "paid", amount_received: opened.amount, paid_at: rest.receivedAt });
  expect(paid.collections.map(({ reference }) => reference)).toEqual([opened.reference, topUp?.reference]);
});

test("what exactly is missing of an old order completes it, however many newer ones of the customer are open", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const old = await openOne(world, merchant, customer);
  await pay(money(old, merchant, { amount: 100_000n }));
  const newer = Array.from({ length: 205 }, (_, n) =>
    openOne(world, merchant, { ...customer, amount: 10_000 + 2 * n }),
  );
  const [newest] = (await Promise.all(newer)).slice(-1);
  const [topUp] = await pay(money(old, merchant, { amount: kobo(old.amount) - 100_000n, afterS: 600 }));
  expect(topUp?.paymentReference).toBe(old.reference);
  expect((await payment(merchant, old.reference)).status).toBe("paid");
  expect((await payment(merchant, newest?.reference ?? "")).status).toBe("pending");
});

test("more than is missing is overpaid", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  await pay(money(opened, merchant, { amount: 100_000n }), money(opened, merchant, { amount: 200_000n, afterS: 3 }));
  expect(await payment(merchant, opened.reference)).toMatchObject({ status: "overpaid", amount_received: 3_000 });
  const other = await openOne(world, merchant, aCustomer());
  await pay(money(other, merchant, { amount: 300_000n }));
  expect(await payment(merchant, other.reference)).toMatchObject({ status: "overpaid", amount_received: 3_000 });
});

test("an amount that fits no session goes to the customer's newest open one, what completes one goes there first", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const older = await openOne(world, merchant, customer);
  const newer = await openOne(world, merchant, { ...customer, amount: 4_000 });
  await letPass(world, older.reference, 60);
  const at = secondsAfter(newer.created_at, 1);
  const [first] = await pay(money(older, merchant, { amount: 50_000n, receivedAt: at }));
  expect(first?.paymentReference).toBe(newer.reference);
  // The newest takes any amount; what exactly completes the older one is the older one's.
  const [partly] = await pay(money(older, merchant, { receivedAt: at }));
  expect(partly?.paymentReference).toBe(older.reference);
  const [rest] = await pay(money(newer, merchant, { amount: kobo(newer.amount) - 50_000n, receivedAt: at }));
  expect(rest?.paymentReference).toBe(newer.reference);
  expect((await payment(merchant, newer.reference)).status).toBe("paid");
});

test("exact money for a session that is paid is attached with a reference of its own, and the state stays", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  const facts = await pay(
    money(opened, merchant),
    money(opened, merchant, { afterS: 3 }),
    money(opened, merchant, { afterS: 7_000 }),
  );
  expect(facts.every(({ paymentReference }) => paymentReference === opened.reference)).toBe(true);
  expect(new Set(facts.map(({ reference }) => reference)).size).toBe(3);
  const paid = await payment(merchant, opened.reference);
  expect(paid).toMatchObject({ status: "paid", paid_at: facts[0]?.receivedAt });
  expect(kobo(paid.amount_received)).toBe(3n * kobo(opened.amount));
});

test("a customer's money is for the sessions of this merchant and mode alone", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  const facts = await pay(
    money(opened, { ...merchant, mode: "live" }),
    money(opened, aShop()),
    money(opened, merchant, { accountNumber: "0000000017" }),
  );
  expect(facts.map(({ paymentReference }) => paymentReference)).toEqual([null, null, null]);
});

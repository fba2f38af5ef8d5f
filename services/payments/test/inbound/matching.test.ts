import { getPayment, givePayerDetails, sessionChanged } from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  aCustomer,
  ageSession,
  aShop,
  createPay,
  createPayment,
  kobo,
  type Shop,
  secondsAfter,
  useSessions,
} from "./sessions-world.ts";

// Sessions do not expire by themselves: each test sets when a transfer was received.
const world = await useSessions({ expiring: { graceMs: 86_400_000 } });
const pay = await createPay(world);
const changed = await recordFacts(world.others, sessionChanged);

const payment = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });

test("an exact transfer pays the session; collection, session and event have the same reference", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, { reference: "order-1" });
  const posted = aCollectionFor(session, merchant);
  const [fact] = await pay(posted);
  expect(fact).toMatchObject({
    reference: session.reference,
    paymentReference: session.reference,
    merchantReference: "order-1",
    customer: null,
    payerDetailsName: null,
  });
  const paid = await payment(merchant, session.reference);
  expect(paid).toEqual({
    ...session,
    status: "paid",
    amount_received: session.amount,
    paid_at: posted.receivedAt,
    collections: [
      {
        reference: session.reference,
        amount: session.amount,
        fee: Number(posted.fee) / 100,
        net: Number(posted.net) / 100,
        paid_at: posted.paidAt,
      },
    ],
  });
  const changedFact = await until("published", () =>
    changed.all.find((f) => f.reference === session.reference && f.version === 2),
  );
  expect(changedFact).toMatchObject({ status: "paid", amountReceived: posted.amount, paidAt: posted.receivedAt });
});

test("the name given at the checkout is published with the collection, unless there is a customer", async () => {
  const merchant = aShop();
  const [anonymous, named, customers] = [
    await createPayment(world, merchant),
    await createPayment(world, merchant, { customer_name: "Bola Ade" }),
    await createPayment(world, merchant, aCustomer()),
  ];
  const details = { reference: anonymous.reference, name: "Chi Eze", email: "chi@example.com" };
  await world.others.request(givePayerDetails, details);
  const facts = await pay(...[anonymous, named, customers].map((one) => aCollectionFor(one, merchant)));
  expect(facts.map(({ payerDetailsName }) => payerDetailsName)).toEqual(["Chi Eze", "Bola Ade", null]);
  expect(facts[2]?.customer).toMatchObject({ name: "Ada Obi" });
});

test("on a collection account another amount is credited and published, and matches nothing", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  for (const amount of [kobo(session.amount) - 1n, kobo(session.amount) + 1n]) {
    const posted = aCollectionFor(session, merchant, { amount });
    const [fact] = await pay(posted);
    expect(fact).toMatchObject({ reference: posted.intakeId.replace("int_", "col_"), paymentReference: null });
  }
  expect(await payment(merchant, session.reference)).toEqual(session);
});

test("each of two sessions of one price gets its own transfer", async () => {
  const merchant = aShop();
  const [one, two] = [await createPayment(world, merchant), await createPayment(world, merchant)];
  const facts = await pay(aCollectionFor(two, merchant, { afterS: 5 }), aCollectionFor(one, merchant, { afterS: 6 }));
  expect(facts.map(({ reference }) => reference)).toEqual([two.reference, one.reference]);
});

test("on a customer's own account a smaller amount is underpaid, and the missing amount completes it", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const [partial] = await pay(aCollectionFor(session, merchant, { amount: 100_000n }));
  expect(partial?.reference).toBe(session.reference);
  expect(await payment(merchant, session.reference)).toMatchObject({
    status: "underpaid",
    amount_received: 1_000,
    paid_at: null,
  });
  const rest = aCollectionFor(session, merchant, { amount: kobo(session.amount) - 100_000n, afterS: 40_000 });
  const [topUp] = await pay(rest);
  expect(topUp).toMatchObject({
    reference: rest.intakeId.replace("int_", "col_"),
    paymentReference: session.reference,
  });
  const paid = await payment(merchant, session.reference);
  expect(paid).toMatchObject({ status: "paid", amount_received: session.amount, paid_at: rest.receivedAt });
  expect(paid.collections.map(({ reference }) => reference)).toEqual([session.reference, topUp?.reference]);
});

test("the exact missing amount completes an old session, however many newer ones of the customer are open", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const old = await createPayment(world, merchant, customer);
  await pay(aCollectionFor(old, merchant, { amount: 100_000n }));
  const newer = Array.from({ length: 205 }, (_, n) =>
    createPayment(world, merchant, { ...customer, amount: 10_000 + 2 * n }),
  );
  const [newest] = (await Promise.all(newer)).slice(-1);
  const [topUp] = await pay(aCollectionFor(old, merchant, { amount: kobo(old.amount) - 100_000n, afterS: 600 }));
  expect(topUp?.paymentReference).toBe(old.reference);
  expect((await payment(merchant, old.reference)).status).toBe("paid");
  expect((await payment(merchant, newest?.reference ?? "")).status).toBe("pending");
});

test("more than the missing amount is overpaid", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  await pay(
    aCollectionFor(session, merchant, { amount: 100_000n }),
    aCollectionFor(session, merchant, { amount: 200_000n, afterS: 3 }),
  );
  expect(await payment(merchant, session.reference)).toMatchObject({ status: "overpaid", amount_received: 3_000 });
  const other = await createPayment(world, merchant, aCustomer());
  await pay(aCollectionFor(other, merchant, { amount: 300_000n }));
  expect(await payment(merchant, other.reference)).toMatchObject({ status: "overpaid", amount_received: 3_000 });
});

test("an amount that fits no session goes to the customer's newest open one, unless it completes another", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const older = await createPayment(world, merchant, customer);
  const newer = await createPayment(world, merchant, { ...customer, amount: 4_000 });
  await ageSession(world, older.reference, 60);
  const at = secondsAfter(newer.created_at, 1);
  const [first] = await pay(aCollectionFor(older, merchant, { amount: 50_000n, receivedAt: at }));
  expect(first?.paymentReference).toBe(newer.reference);
  // The newest takes any amount, except one that exactly completes the older.
  const [partly] = await pay(aCollectionFor(older, merchant, { receivedAt: at }));
  expect(partly?.paymentReference).toBe(older.reference);
  const [rest] = await pay(aCollectionFor(newer, merchant, { amount: kobo(newer.amount) - 50_000n, receivedAt: at }));
  expect(rest?.paymentReference).toBe(newer.reference);
  expect((await payment(merchant, newer.reference)).status).toBe("paid");
});

test("an exact transfer for a paid session is attached with its own reference, and the status stays", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  const facts = await pay(
    aCollectionFor(session, merchant),
    aCollectionFor(session, merchant, { afterS: 3 }),
    aCollectionFor(session, merchant, { afterS: 7_000 }),
  );
  expect(facts.every(({ paymentReference }) => paymentReference === session.reference)).toBe(true);
  expect(new Set(facts.map(({ reference }) => reference)).size).toBe(3);
  const paid = await payment(merchant, session.reference);
  expect(paid).toMatchObject({ status: "paid", paid_at: facts[0]?.receivedAt });
  expect(kobo(paid.amount_received)).toBe(3n * kobo(session.amount));
});

test("a customer's transfer matches only sessions of the same merchant, mode and account", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  const facts = await pay(
    aCollectionFor(session, { ...merchant, mode: "live" }),
    aCollectionFor(session, aShop()),
    aCollectionFor(session, merchant, { accountNumber: "0000000017" }),
  );
  expect(facts.map(({ paymentReference }) => paymentReference)).toEqual([null, null, null]);
});

import { getPayment } from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  aCustomer,
  ageSession,
  aShop,
  createPay,
  createPayment,
  rowOf,
  type Shop,
  secondsAfter,
  useSessions,
} from "./sessions-world.ts";

// Sessions do not expire by themselves: each test sets when a transfer was received.
const world = await useSessions({ expiring: { graceMs: 86_400_000 } });
const pay = await createPay(world);

const payment = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });

test("an exact transfer after the end is paid_late, within the watch window only", async () => {
  const merchant = aShop();
  const [late, tooLate, early] = [
    await createPayment(world, merchant),
    await createPayment(world, merchant),
    await createPayment(world, merchant),
  ];
  const facts = await pay(
    aCollectionFor(late, merchant, { receivedAt: late.expires_at }),
    aCollectionFor(tooLate, merchant, { receivedAt: secondsAfter(tooLate.expires_at, 7_200) }),
    aCollectionFor(early, merchant, { receivedAt: secondsAfter(early.created_at, -0.001) }),
  );
  expect(facts.map(({ paymentReference }) => paymentReference)).toEqual([late.reference, null, null]);
  expect(await payment(merchant, late.reference)).toMatchObject({ status: "paid_late", paid_at: late.expires_at });
  expect((await rowOf(world, tooLate.reference)).status).toBe("pending");
});

test("whether a transfer is in time depends on when it was received, however late it is processed", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  const posted = aCollectionFor(session, merchant, { receivedAt: secondsAfter(session.created_at, -3_600 + 2) });
  await ageSession(world, session.reference, 3_600);
  await pay(posted);
  expect(await payment(merchant, session.reference)).toMatchObject({ status: "paid", paid_at: posted.receivedAt });
});

test("a late transfer for an old session never matches the current session of the same amount and account", async () => {
  const merchant = aShop();
  const [old] = await Promise.all(Array.from({ length: 99 }, () => createPayment(world, merchant)));
  if (!old) throw new Error("99 were created");
  // The watch window of the old session is over and its slot released: the next session of this price gets it.
  await ageSession(world, old.reference, 3 * 3_600);
  await until("released", async () => !(await rowOf(world, old.reference)).slot_held);
  const now = await createPayment(world, merchant);
  expect([now.account_number, now.amount]).toEqual([old.account_number, old.amount]);
  const [inTime, afterwards, present] = [
    aCollectionFor(old, merchant, { receivedAt: secondsAfter(old.created_at, -3 * 3_600 + 60) }),
    aCollectionFor(old, merchant, { receivedAt: secondsAfter(old.created_at, -10) }),
    aCollectionFor(now, merchant),
  ];
  const facts = await pay(afterwards, present, inTime);
  expect(facts.map(({ paymentReference }) => paymentReference)).toEqual([null, now.reference, old.reference]);
});

test("a transfer that was paid before any session existed matches none, on a collection account and on a customer's", async () => {
  const merchant = aShop();
  for (const customer of [{}, aCustomer()]) {
    const session = await createPayment(world, merchant, customer);
    const paidAt = secondsAfter(session.created_at, -3 * 3_600);
    const early = aCollectionFor(session, merchant, { paidAt });
    const other = aCollectionFor(session, merchant, { paidAt, amount: 50_000n, afterS: 3 });
    const facts = await pay(early, other);
    expect(facts).toMatchObject(
      [early, other].map(({ intakeId }) => ({
        reference: intakeId.replace("int_", "col_"),
        paymentReference: null,
        merchantReference: null,
      })),
    );
    expect(await payment(merchant, session.reference)).toEqual(session);
    // A bank with a slow clock, or one that reports whole minutes, must not cost the payer the match.
    const [coarse] = await pay(
      aCollectionFor(session, merchant, { paidAt: secondsAfter(session.created_at, -100), afterS: 4 }),
    );
    expect(coarse?.paymentReference).toBe(session.reference);
  }
});

test("a report that is delayed past the reuse of its slot never matches the later session", async () => {
  const merchant = aShop();
  const [old] = await Promise.all(Array.from({ length: 99 }, () => createPayment(world, merchant)));
  if (!old) throw new Error("99 were created");
  await ageSession(world, old.reference, 3 * 3_600);
  await until("released", async () => !(await rowOf(world, old.reference)).slot_held);
  const now = await createPayment(world, merchant);
  expect([now.account_number, now.amount]).toEqual([old.account_number, old.amount]);
  const paidInTime = secondsAfter(old.created_at, -3 * 3_600 + 60);
  const [fact] = await pay(aCollectionFor(now, merchant, { paidAt: paidInTime }));
  expect(fact?.paymentReference).toBeNull();
  expect(await payment(merchant, now.reference)).toEqual(now);
});

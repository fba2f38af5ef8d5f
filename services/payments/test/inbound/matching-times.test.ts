import {
  collectionPosted,
  type collectionSucceeded,
  type Fact,
  getPayment,
  collectionSucceeded as succeededEvent,
} from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aCustomer,
  aShop,
  letPass,
  money,
  openOne,
  openSessionsWorld,
  type Posted,
  rowOf,
  type SessionsWorld,
  type Shop,
  secondsAfter,
} from "./sessions-world.ts";

let world: SessionsWorld;
let succeeded: FactLog<typeof collectionSucceeded>;

beforeAll(async () => {
  // Nothing expires by itself here: a test says when money came.
  world = await openSessionsWorld({ expiring: { graceMs: 86_400_000 } });
  succeeded = await recordFacts(world.others, succeededEvent);
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

test("exact money after the end is paid late, while the session is watched and not a moment longer", async () => {
  const merchant = aShop();
  const [late, tooLate, early] = [
    await openOne(world, merchant),
    await openOne(world, merchant),
    await openOne(world, merchant),
  ];
  const facts = await pay(
    money(late, merchant, { receivedAt: late.expires_at }),
    money(tooLate, merchant, { receivedAt: secondsAfter(tooLate.expires_at, 7_200) }),
    money(early, merchant, { receivedAt: secondsAfter(early.created_at, -0.001) }),
  );
  expect(facts.map(({ paymentReference }) => paymentReference)).toEqual([late.reference, null, null]);
  expect(await payment(merchant, late.reference)).toMatchObject({ status: "paid_late", paid_at: late.expires_at });
  expect((await rowOf(world, tooLate.reference)).status).toBe("pending");
});

test("in time is judged by when the money was received, however late it comes", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  const posted = money(opened, merchant, { receivedAt: secondsAfter(opened.created_at, -3_600 + 2) });
  await letPass(world, opened.reference, 3_600);
  await pay(posted);
  expect(await payment(merchant, opened.reference)).toMatchObject({ status: "paid", paid_at: posted.receivedAt });
});

test("late money for an old quote is never another payer's, who has the same amount on the same account now", async () => {
  const merchant = aShop();
  const [old] = await Promise.all(Array.from({ length: 99 }, () => openOne(world, merchant)));
  if (!old) throw new Error("99 were opened");
  // The old quote is watched no more and its slot is given up: the next session of this price gets it.
  await letPass(world, old.reference, 3 * 3_600);
  await until("given up", async () => !(await rowOf(world, old.reference)).slot_held);
  const now = await openOne(world, merchant);
  expect([now.account_number, now.amount]).toEqual([old.account_number, old.amount]);
  const [inTime, afterwards, present] = [
    money(old, merchant, { receivedAt: secondsAfter(old.created_at, -3 * 3_600 + 60) }),
    money(old, merchant, { receivedAt: secondsAfter(old.created_at, -10) }),
    money(now, merchant),
  ];
  const facts = await pay(afterwards, present, inTime);
  expect(facts.map(({ paymentReference }) => paymentReference)).toEqual([null, now.reference, old.reference]);
});

test("money that was paid before any session was there matches none, however exact, on a shared account and a customer's", async () => {
  const merchant = aShop();
  for (const customer of [{}, aCustomer()]) {
    const opened = await openOne(world, merchant, customer);
    const paidAt = secondsAfter(opened.created_at, -3 * 3_600);
    const early = money(opened, merchant, { paidAt });
    const other = money(opened, merchant, { paidAt, amount: 50_000n, afterS: 3 });
    const facts = await pay(early, other);
    expect(facts).toMatchObject(
      [early, other].map(({ intakeId }) => ({
        reference: intakeId.replace("int_", "col_"),
        paymentReference: null,
        merchantReference: null,
      })),
    );
    expect(await payment(merchant, opened.reference)).toEqual(opened);
    // A clock that is a little behind, or minutes without seconds, are no reason to lose the payer's money.
    const [coarse] = await pay(money(opened, merchant, { paidAt: secondsAfter(opened.created_at, -100), afterS: 4 }));
    expect(coarse?.paymentReference).toBe(opened.reference);
  }
});

test("a report that is delayed past the reuse of its slot never reaches the later payer", async () => {
  const merchant = aShop();
  const [old] = await Promise.all(Array.from({ length: 99 }, () => openOne(world, merchant)));
  if (!old) throw new Error("99 were opened");
  await letPass(world, old.reference, 3 * 3_600);
  await until("given up", async () => !(await rowOf(world, old.reference)).slot_held);
  const now = await openOne(world, merchant);
  expect([now.account_number, now.amount]).toEqual([old.account_number, old.amount]);
  const paidInTime = secondsAfter(old.created_at, -3 * 3_600 + 60);
  const [fact] = await pay(money(now, merchant, { paidAt: paidInTime }));
  expect(fact?.paymentReference).toBeNull();
  expect(await payment(merchant, now.reference)).toEqual(now);
});

import { collectionPosted, expireSession, getPayment, listUnfinished, sessionChanged } from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { afterEach, expect, test } from "vitest";
import { expireSessions } from "../../src/inbound/store/due-sessions.ts";
import {
  aCollectionFor,
  aCustomer,
  ageSession,
  aShop,
  createPayment,
  rowOf,
  type Shop,
  secondsAfter,
  useSessions,
} from "./sessions-world.ts";

// Small pages, so that there are several.
const world = await useSessions({ expiring: { pageMax: 5 } });
const changed = await recordFacts(world.others, sessionChanged);
afterEach(() => {
  world.accounts.inTransit = new Set();
});

const statusOf = async (reference: string) => (await rowOf(world, reference)).status;
const untilStatus = (reference: string, status: string) =>
  until(`${reference} is ${status}`, async () => (await statusOf(reference)) === status);

/** Waits until a new session has expired: everything that was due before has been checked since. */
async function afterOneRun() {
  const { reference } = await createPayment(world, aShop());
  await ageSession(world, reference, 1_801);
  await untilStatus(reference, "expired");
}

test("sessions expire at their end, however many, and the change is published; others do not expire", async () => {
  const merchant = aShop();
  const open = await createPayment(world, merchant);
  const due = await Promise.all(Array.from({ length: 23 }, () => createPayment(world, merchant)));
  for (const { reference } of due) await ageSession(world, reference, 1_801);
  for (const { reference } of due) {
    await untilStatus(reference, "expired");
    const fact = await until("published", () =>
      changed.all.find((fact) => fact.reference === reference && fact.version === 2),
    );
    expect(fact.status).toBe("expired");
  }
  expect(await statusOf(open.reference)).toBe("pending");
});

test("an underpaid session never expires", async () => {
  const merchant = aShop();
  const { reference } = await createPayment(world, merchant, aCustomer());
  await world.owner.query("update sessions set status = 'underpaid', amount_received = 1 where reference = $1", [
    reference,
  ]);
  await ageSession(world, reference, 3 * 86_400);
  await until("its slot is released", async () => !(await rowOf(world, reference)).slot_held);
  expect(await statusOf(reference)).toBe("underpaid");
});

test("a session does not expire while a transfer that was received in time may be in transit", async () => {
  const merchant = aShop();
  const waiting = await createPayment(world, merchant);
  world.accounts.inTransit = new Set([waiting.account_number]);
  await ageSession(world, waiting.reference, 1_801);
  await afterOneRun();
  expect(await statusOf(waiting.reference)).toBe("pending");
  // The transfer is processed late, but was received in time.
  const posted = aCollectionFor(waiting, merchant, { receivedAt: secondsAfter(waiting.created_at, -1_000) });
  await world.others.publish(collectionPosted, [posted]);
  await untilStatus(waiting.reference, "paid");
});

test("nothing expires while accounts does not respond, and everything due expires afterwards", async () => {
  const { reference } = await createPayment(world, aShop());
  world.accounts.inTransit = "down";
  await ageSession(world, reference, 1_801);
  // A session past its watch window expires regardless; once it has, one run is over.
  const old = await createPayment(world, aShop());
  await ageSession(world, old.reference, 2 * 3_600 + 1_801);
  await untilStatus(old.reference, "expired");
  expect(await statusOf(reference)).toBe("pending");
  world.accounts.inTransit = new Set();
  await untilStatus(reference, "expired");
});

test("a transfer in transit keeps a session open until its watch window closes, and no longer", async () => {
  const { reference, account_number } = await createPayment(world, aShop());
  world.accounts.inTransit = new Set([account_number]);
  await ageSession(world, reference, 2 * 3_600 + 1_801);
  await untilStatus(reference, "expired");
});

test("a slot is taken until the watch window closes, paid or not", async () => {
  const merchant = aShop();
  const [paid, pending] = [await createPayment(world, merchant), await createPayment(world, merchant)];
  await world.others.publish(collectionPosted, [aCollectionFor(paid, merchant)]);
  await untilStatus(paid.reference, "paid");
  for (const { reference } of [paid, pending]) await ageSession(world, reference, 2 * 3_600 + 1_790);
  await untilStatus(pending.reference, "expired");
  for (const { reference } of [paid, pending]) expect((await rowOf(world, reference)).slot_held).toBe(true);
  for (const { reference } of [paid, pending]) {
    await ageSession(world, reference, 20);
    await until("released", async () => !(await rowOf(world, reference)).slot_held);
  }
});

test("a late transfer turns an expired session into paid_late, and its status is final", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant, aCustomer());
  await ageSession(world, session.reference, 1_801);
  await untilStatus(session.reference, "expired");
  const late = () => aCollectionFor(session, merchant, { receivedAt: new Date().toISOString() });
  await world.others.publish(collectionPosted, [{ ...late(), amount: 100n, fee: 1n, net: 99n }, late()]);
  await untilStatus(session.reference, "paid_late");
  await world.others.publish(collectionPosted, [late()]);
  const { collections, status } = await until("attached", async () => {
    const payment = await world.others.request(getPayment, { merchant, reference: session.reference });
    return payment.collections.length === 2 && payment;
  });
  expect(status).toBe("paid_late");
  expect(collections.map(({ amount }) => amount)).toEqual([session.amount, session.amount]);
});

test("replicas that expire the same sessions concurrently change each once", async () => {
  const merchant = aShop();
  const payments = await Promise.all(Array.from({ length: 10 }, () => createPayment(world, merchant)));
  const references = payments.map(({ reference }) => reference);
  world.accounts.inTransit = "down";
  for (const reference of references) await ageSession(world, reference, 1_801);
  const runs = await Promise.all(Array.from({ length: 4 }, () => expireSessions(world.pool, references)));
  await expireSessions(world.pool, references);
  expect(runs.flat().length).toBeLessThanOrEqual(10);
  for (const reference of references)
    expect(await rowOf(world, reference)).toMatchObject({ status: "expired", version: 2 });
});

const expireEarly = (merchant: Shop, reference: string) =>
  world.others.request(expireSession, { merchant: { id: merchant.id, mode: merchant.mode }, reference });

test("a test session can be expired early by its merchant, once; not another merchant's, a paid or a live one", async () => {
  const merchant = aShop();
  const session = await createPayment(world, merchant);
  expect(await expireEarly(aShop(), session.reference)).toEqual({ expired: false });
  expect(await expireEarly(merchant, "pay_unknown")).toEqual({ expired: false });
  expect(await expireEarly(merchant, session.reference)).toEqual({ expired: true });
  expect(await expireEarly(merchant, session.reference)).toEqual({ expired: false });
  expect(await rowOf(world, session.reference)).toMatchObject({ status: "expired", version: 2, slot_held: true });

  const paid = await createPayment(world, merchant);
  await world.others.publish(collectionPosted, [aCollectionFor(paid, merchant)]);
  await untilStatus(paid.reference, "paid");
  expect(await expireEarly(merchant, paid.reference)).toEqual({ expired: false });

  const live = { ...merchant, mode: "live" as const };
  const { reference } = await createPayment(world, live);
  await expect(expireEarly(live, reference)).rejects.toMatchObject({ code: "test_key_required" });
  expect(await statusOf(reference)).toBe("pending");
});

test("sessions overdue by more than a minute are reported with the oldest of them", async () => {
  const { reference, account_number } = await createPayment(world, aShop());
  world.accounts.inTransit = new Set([account_number]);
  await ageSession(world, reference, 1_801);
  expect((await world.others.request(listUnfinished, {})).sessions).toEqual([]);
  await ageSession(world, reference, 60);
  const { sessions } = await world.others.request(listUnfinished, {});
  const { rows } = await world.owner.query("select expires_at from sessions where reference = $1", [reference]);
  expect(sessions).toEqual([{ mode: "test", count: 1, oldest_expires_at: rows[0].expires_at }]);
});

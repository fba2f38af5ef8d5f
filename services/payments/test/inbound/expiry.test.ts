import { collectionPosted, expireSession, getPayment, listUnfinished, sessionChanged } from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { expireSessions } from "../../src/inbound/store/due-sessions.ts";
import {
  aCustomer,
  aShop,
  letPass,
  money,
  openOne,
  openSessionsWorld,
  rowOf,
  type SessionsWorld,
  type Shop,
  secondsAfter,
} from "./sessions-world.ts";

let world: SessionsWorld;
let changed: FactLog<typeof sessionChanged>;

beforeAll(async () => {
  // A page is small, so that there are several.
  world = await openSessionsWorld({ expiring: { pageMax: 5 } });
  changed = await recordFacts(world.others, sessionChanged);
});
afterEach(() => {
  world.accounts.underWay = new Set();
});
afterAll(() => world.stop());

const statusOf = async (reference: string) => (await rowOf(world, reference)).status;
const untilStatus = (reference: string, status: string) =>
  until(`${reference} is ${status}`, async () => (await statusOf(reference)) === status);

/** A session of its own shop that has just been found expired: whatever was due before has been looked at since. */
async function afterARound() {
  const { reference } = await openOne(world, aShop());
  await letPass(world, reference, 1_801);
  await untilStatus(reference, "expired");
}

test("sessions end when their time is up, however many, and it is told; others do not", async () => {
  const merchant = aShop();
  const open = await openOne(world, merchant);
  const due = await Promise.all(Array.from({ length: 23 }, () => openOne(world, merchant)));
  for (const { reference } of due) await letPass(world, reference, 1_801);
  for (const { reference } of due) {
    await untilStatus(reference, "expired");
    const told = await until("told", () =>
      changed.all.find((fact) => fact.reference === reference && fact.version === 2),
    );
    expect(told.status).toBe("expired");
  }
  expect(await statusOf(open.reference)).toBe("pending");
});

test("an underpaid session never expires", async () => {
  const merchant = aShop();
  const { reference } = await openOne(world, merchant, aCustomer());
  await world.owner.query("update sessions set status = 'underpaid', amount_received = 1 where reference = $1", [
    reference,
  ]);
  await letPass(world, reference, 3 * 86_400);
  await until("its slot is given up", async () => !(await rowOf(world, reference)).slot_held);
  expect(await statusOf(reference)).toBe("underpaid");
});

test("a session is not called expired while money that came in time may be under way to it", async () => {
  const merchant = aShop();
  const waiting = await openOne(world, merchant);
  world.accounts.underWay = new Set([waiting.account_number]);
  await letPass(world, waiting.reference, 1_801);
  await afterARound();
  expect(await statusOf(waiting.reference)).toBe("pending");
  // The money comes at last: it was in time.
  const posted = money(waiting, merchant, { receivedAt: secondsAfter(waiting.created_at, -1_000) });
  await world.others.publish(collectionPosted, [posted]);
  await untilStatus(waiting.reference, "paid");
});

test("while accounts does not say what is under way nothing expires, and then everything does that is due", async () => {
  const { reference } = await openOne(world, aShop());
  world.accounts.underWay = "down";
  await letPass(world, reference, 1_801);
  // One whose watch window is over waits for nobody: once it is expired, a round has passed.
  const old = await openOne(world, aShop());
  await letPass(world, old.reference, 2 * 3_600 + 1_801);
  await untilStatus(old.reference, "expired");
  expect(await statusOf(reference)).toBe("pending");
  world.accounts.underWay = new Set();
  await untilStatus(reference, "expired");
});

test("money under way keeps a session open until its watch window closes, and no longer", async () => {
  const { reference, account_number } = await openOne(world, aShop());
  world.accounts.underWay = new Set([account_number]);
  await letPass(world, reference, 2 * 3_600 + 1_801);
  await untilStatus(reference, "expired");
});

test("a slot is held until the watch window closes, paid or not", async () => {
  const merchant = aShop();
  const [paid, pending] = [await openOne(world, merchant), await openOne(world, merchant)];
  await world.others.publish(collectionPosted, [money(paid, merchant)]);
  await untilStatus(paid.reference, "paid");
  for (const { reference } of [paid, pending]) await letPass(world, reference, 2 * 3_600 + 1_790);
  await untilStatus(pending.reference, "expired");
  for (const { reference } of [paid, pending]) expect((await rowOf(world, reference)).slot_held).toBe(true);
  for (const { reference } of [paid, pending]) {
    await letPass(world, reference, 20);
    await until("given up", async () => !(await rowOf(world, reference)).slot_held);
  }
});

test("late money turns an expired session into paid_late, once, and never anything else", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant, aCustomer());
  await letPass(world, opened.reference, 1_801);
  await untilStatus(opened.reference, "expired");
  const late = () => money(opened, merchant, { receivedAt: new Date().toISOString() });
  await world.others.publish(collectionPosted, [{ ...late(), amount: 100n, fee: 1n, net: 99n }, late()]);
  await untilStatus(opened.reference, "paid_late");
  await world.others.publish(collectionPosted, [late()]);
  const { collections, status } = await until("attached", async () => {
    const payment = await world.others.request(getPayment, { merchant, reference: opened.reference });
    return payment.collections.length === 2 && payment;
  });
  expect(status).toBe("paid_late");
  expect(collections.map(({ amount }) => amount)).toEqual([opened.amount, opened.amount]);
});

test("replicas that expire the same sessions at once change each once", async () => {
  const merchant = aShop();
  const opened = await Promise.all(Array.from({ length: 10 }, () => openOne(world, merchant)));
  const references = opened.map(({ reference }) => reference);
  world.accounts.underWay = "down";
  for (const reference of references) await letPass(world, reference, 1_801);
  const rounds = await Promise.all(Array.from({ length: 4 }, () => expireSessions(world.pool, references)));
  await expireSessions(world.pool, references);
  expect(rounds.flat().length).toBeLessThanOrEqual(10);
  for (const reference of references)
    expect(await rowOf(world, reference)).toMatchObject({ status: "expired", version: 2 });
});

const closeEarly = (merchant: Shop, reference: string) =>
  world.others.request(expireSession, { merchant: { id: merchant.id, mode: merchant.mode }, reference });

test("a test session can be closed early by its merchant, once; nobody else's, none that is paid, no live one", async () => {
  const merchant = aShop();
  const opened = await openOne(world, merchant);
  expect(await closeEarly(aShop(), opened.reference)).toEqual({ expired: false });
  expect(await closeEarly(merchant, "pay_unknown")).toEqual({ expired: false });
  expect(await closeEarly(merchant, opened.reference)).toEqual({ expired: true });
  expect(await closeEarly(merchant, opened.reference)).toEqual({ expired: false });
  expect(await rowOf(world, opened.reference)).toMatchObject({ status: "expired", version: 2, slot_held: true });

  const paid = await openOne(world, merchant);
  await world.others.publish(collectionPosted, [money(paid, merchant)]);
  await untilStatus(paid.reference, "paid");
  expect(await closeEarly(merchant, paid.reference)).toEqual({ expired: false });

  const live = { ...merchant, mode: "live" as const };
  const { reference } = await openOne(world, live);
  await expect(closeEarly(live, reference)).rejects.toMatchObject({ code: "test_key_required" });
  expect(await statusOf(reference)).toBe("pending");
});

test("sessions that should have ended over a minute ago are reported with the oldest of them", async () => {
  const { reference, account_number } = await openOne(world, aShop());
  world.accounts.underWay = new Set([account_number]);
  await letPass(world, reference, 1_801);
  expect((await world.others.request(listUnfinished, {})).sessions).toEqual([]);
  await letPass(world, reference, 60);
  const { sessions } = await world.others.request(listUnfinished, {});
  const { rows } = await world.owner.query("select expires_at from sessions where reference = $1", [reference]);
  expect(sessions).toEqual([{ mode: "test", count: 1, oldest_expires_at: rows[0].expires_at }]);
});

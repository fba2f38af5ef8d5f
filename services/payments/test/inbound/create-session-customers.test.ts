import { sessionChanged } from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  aCustomer,
  aShop,
  CONFIG,
  open,
  openOne,
  openSessionsWorld,
  rowOf,
  type SessionsWorld,
} from "./sessions-world.ts";

let world: SessionsWorld;
let changed: FactLog<typeof sessionChanged>;

beforeAll(async () => {
  world = await openSessionsWorld();
  changed = await recordFacts(world.others, sessionChanged);
});
afterAll(() => world.stop());

test("a session with a customer is on the customer's own account and asks the payer for nothing", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const first = await openOne(world, merchant, customer);
  expect(first).toMatchObject({ ...customer, details_required: false, account_name: "Ada Stores / Ada Obi" });
  // The second time the reference is enough, and the customer keeps the name of the account.
  const second = await openOne(world, merchant, { customer_reference: customer.customer_reference });
  expect(second).toMatchObject({ ...customer, account_number: first.account_number });
  expect(second.amount).not.toBe(first.amount);
  expect(world.accounts.askedFor(merchant.id)).toEqual([customer.customer_reference, customer.customer_reference]);
});

test("a customer_name alone is enough for the payer not to be asked", async () => {
  const payment = await openOne(world, aShop(), { customer_name: "Ada Obi" });
  expect(payment).toMatchObject({ customer_reference: null, customer_name: "Ada Obi", details_required: false });
});

test("a new customer without a name is refused, and no session is left", async () => {
  const merchant = aShop();
  const { customer_reference } = aCustomer();
  await expect(open(world, merchant, { customer_reference })).rejects.toMatchObject({ code: "validation_failed" });
  const { rowCount } = await world.owner.query("select from sessions where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(0);
});

test("a retired account takes no new session; one that was opened before is found by its reference", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const before = await openOne(world, merchant, { ...customer, reference: "order-1" });
  world.accounts.retired.add(customer.customer_reference);
  await expect(open(world, merchant, customer)).rejects.toMatchObject({ code: "account_retired" });
  const again = await open(world, merchant, { ...customer, reference: "order-1" });
  expect(again).toEqual({ payment: before, created: false });
});

/** Opens sessions of one price on a customer's account until its 99 slots are held. */
async function fill() {
  const merchant = aShop();
  const customer = aCustomer();
  await openOne(world, merchant, customer);
  const more = await Promise.all(Array.from({ length: 98 }, () => openOne(world, merchant, customer)));
  return { merchant, customer, more };
}

/** Opened an hour ago and a little more, and closed so long ago: half an hour, unless said otherwise. */
const close = (reference: string, status: string, openedSecondsAgo: number, closedSecondsAgo = 1_800) =>
  world.owner.query(
    `update sessions set status = $2, created_at = created_at - (3600 + $3::integer) * interval '1 second',
       expires_at = now() - $4::integer * interval '1 second',
       paid_at = case when $2 = 'expired' then null else now() - $4::integer * interval '1 second' end,
       amount_received = case $2 when 'expired' then 0 when 'overpaid' then amount + 1 else amount end where reference = $1`,
    [reference, status, openedSecondsAgo, closedSecondsAgo],
  );

test("with 99 sessions of one price open on a customer's account that price has no slot, and others have theirs", async () => {
  const { merchant, customer } = await fill();
  await expect(open(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
  // Another price has slots of its own.
  expect((await openOne(world, merchant, { ...customer, amount: 2_501 })).status).toBe("pending");
});

test.each(["paid", "overpaid", "expired", "paid_late"])(
  "with 99 slots held the oldest session that is closed gives up its own: %s",
  async (status) => {
    const { merchant, customer, more } = await fill();
    const [younger, older] = more;
    if (!younger || !older) throw new Error("99 were opened");
    await close(younger.reference, status, 10);
    await close(older.reference, status, 20);
    const taken = await openOne(world, merchant, customer);
    expect(taken.amount).toBe(older.amount);
    expect(taken.account_number).toBe(older.account_number);
    expect(await rowOf(world, older.reference)).toMatchObject({ status, slot_held: false, version: 2 });
    expect(await rowOf(world, younger.reference)).toMatchObject({ slot_held: true });
    // The copies learn that it is final, and a pause lies between the windows of the two.
    const told = await until("told", () => changed.all.find((f) => f.reference === older.reference && f.version === 2));
    expect(Date.parse(told.watchUntil) + CONFIG.SLOT_PAUSE_S * 1_000).toBeLessThanOrEqual(Date.parse(taken.created_at));
  },
);

test.each(["paid", "expired"])(
  "a session keeps its slot until it has been closed for the pause: %s",
  async (status) => {
    const { merchant, customer, more } = await fill();
    await close(more[0]?.reference ?? "", status, 10, CONFIG.SLOT_PAUSE_S - 60);
    await expect(open(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
  },
);

test("an underpaid session is open: its slot is not taken over", async () => {
  const { merchant, customer, more } = await fill();
  await world.owner.query("update sessions set status = 'underpaid', amount_received = 1 where reference = $1", [
    more[0]?.reference,
  ]);
  await expect(open(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
});

test("two that take over at once take two slots", async () => {
  const { merchant, customer, more } = await fill();
  for (const { reference } of more.slice(0, 20)) await close(reference, "paid", 10);
  const opened = await Promise.all(Array.from({ length: 20 }, () => openOne(world, merchant, customer)));
  expect(new Set(opened.map(({ amount }) => amount)).size).toBe(20);
  await expect(open(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
});

test("a slot that nobody watches any more is given up before it is said that none is free", async () => {
  const { merchant, customer, more } = await fill();
  const [lapsed] = more;
  await world.owner.query(
    `update sessions set status = 'underpaid', amount_received = 1, created_at = now() - interval '2 days',
       watch_until = now() - interval '601 seconds' where reference = $1`,
    [lapsed?.reference],
  );
  expect((await openOne(world, merchant, customer)).amount).toBe(lapsed?.amount);
});

import { sessionChanged } from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { aCustomer, aShop, CONFIG, createPayment, createSession, rowOf, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const changed = await recordFacts(world.others, sessionChanged);

test("a session with a customer is on the customer's own account and requires no payer details", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const first = await createPayment(world, merchant, customer);
  expect(first).toMatchObject({ ...customer, details_required: false, account_name: "Ada Stores / Ada Obi" });
  // The second time the reference is enough, and the customer keeps the account name.
  const second = await createPayment(world, merchant, { customer_reference: customer.customer_reference });
  expect(second).toMatchObject({ ...customer, account_number: first.account_number });
  expect(second.amount).not.toBe(first.amount);
  expect(world.accounts.requestedBy(merchant.id)).toEqual([customer.customer_reference, customer.customer_reference]);
});

test("a session with only a customer_name requires no payer details", async () => {
  const payment = await createPayment(world, aShop(), { customer_name: "Ada Obi" });
  expect(payment).toMatchObject({ customer_reference: null, customer_name: "Ada Obi", details_required: false });
});

test("a new customer without a name is refused, and no session is stored", async () => {
  const merchant = aShop();
  const { customer_reference } = aCustomer();
  await expect(createSession(world, merchant, { customer_reference })).rejects.toMatchObject({
    code: "validation_failed",
  });
  const { rowCount } = await world.owner.query("select from sessions where merchant_id = $1", [merchant.id]);
  expect(rowCount).toBe(0);
});

test("a retired account gets no new session; an earlier one is found by its reference", async () => {
  const merchant = aShop();
  const customer = aCustomer();
  const before = await createPayment(world, merchant, { ...customer, reference: "order-1" });
  world.accounts.retired.add(customer.customer_reference);
  await expect(createSession(world, merchant, customer)).rejects.toMatchObject({ code: "account_retired" });
  const again = await createSession(world, merchant, { ...customer, reference: "order-1" });
  expect(again).toEqual({ payment: before, created: false });
});

/** Creates sessions of one price on a customer's account until its 99 slots are taken. */
async function fill() {
  const merchant = aShop();
  const customer = aCustomer();
  await createPayment(world, merchant, customer);
  const more = await Promise.all(Array.from({ length: 98 }, () => createPayment(world, merchant, customer)));
  return { merchant, customer, more };
}

/** Closes a session that was created over an hour ago; by default half an hour ago. */
const close = (reference: string, status: string, createdSecondsAgo: number, closedSecondsAgo = 1_800) =>
  world.owner.query(
    `update sessions set status = $2, created_at = created_at - (3600 + $3::integer) * interval '1 second',
       expires_at = now() - $4::integer * interval '1 second',
       paid_at = case when $2 = 'expired' then null else now() - $4::integer * interval '1 second' end,
       amount_received = case $2 when 'expired' then 0 when 'overpaid' then amount + 1 else amount end where reference = $1`,
    [reference, status, createdSecondsAgo, closedSecondsAgo],
  );

test("99 open sessions of one price on a customer's account exhaust the slots of that price only", async () => {
  const { merchant, customer } = await fill();
  await expect(createSession(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
  // Another price has its own slots.
  expect((await createPayment(world, merchant, { ...customer, amount: 2_501 })).status).toBe("pending");
});

test.each(["paid", "overpaid", "expired", "paid_late"])(
  "when 99 slots are taken, the slot of the oldest closed session is taken over: %s",
  async (status) => {
    const { merchant, customer, more } = await fill();
    const [younger, older] = more;
    if (!younger || !older) throw new Error("99 were created");
    await close(younger.reference, status, 10);
    await close(older.reference, status, 20);
    const taken = await createPayment(world, merchant, customer);
    expect(taken.amount).toBe(older.amount);
    expect(taken.account_number).toBe(older.account_number);
    expect(await rowOf(world, older.reference)).toMatchObject({ status, slot_held: false, version: 2 });
    expect(await rowOf(world, younger.reference)).toMatchObject({ slot_held: true });
    // Copies are notified that it is final, and a pause lies between the two watch windows.
    const fact = await until("published", () =>
      changed.all.find((f) => f.reference === older.reference && f.version === 2),
    );
    expect(Date.parse(fact.watchUntil) + CONFIG.SLOT_PAUSE_S * 1_000).toBeLessThanOrEqual(Date.parse(taken.created_at));
  },
);

test.each(["paid", "expired"])(
  "a session keeps its slot until it has been closed for the pause: %s",
  async (status) => {
    const { merchant, customer, more } = await fill();
    await close(more[0]?.reference ?? "", status, 10, CONFIG.SLOT_PAUSE_S - 60);
    await expect(createSession(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
  },
);

test("an underpaid session is open: its slot is not taken over", async () => {
  const { merchant, customer, more } = await fill();
  await world.owner.query("update sessions set status = 'underpaid', amount_received = 1 where reference = $1", [
    more[0]?.reference,
  ]);
  await expect(createSession(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
});

test("concurrent requests take over different slots", async () => {
  const { merchant, customer, more } = await fill();
  for (const { reference } of more.slice(0, 20)) await close(reference, "paid", 10);
  const payments = await Promise.all(Array.from({ length: 20 }, () => createPayment(world, merchant, customer)));
  expect(new Set(payments.map(({ amount }) => amount)).size).toBe(20);
  await expect(createSession(world, merchant, customer)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
});

test("a slot past its watch window is released before a request is refused", async () => {
  const { merchant, customer, more } = await fill();
  const [lapsed] = more;
  await world.owner.query(
    `update sessions set status = 'underpaid', amount_received = 1, created_at = now() - interval '2 days',
       watch_until = now() - interval '601 seconds' where reference = $1`,
    [lapsed?.reference],
  );
  expect((await createPayment(world, merchant, customer)).amount).toBe(lapsed?.amount);
});

import { cancelPayment, givePayerDetails, reportSent, sessionChanged } from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { forgetUnpaidPayers } from "../../src/inbound/store/payer-details.ts";
import { aCustomer, ageSession, aShop, createPayment, rowOf, useSessions } from "./sessions-world.ts";

const world = await useSessions();
const changed = await recordFacts(world.others, sessionChanged);

const ADA = { name: "Ada Obi", email: "ada@example.com" };
const give = (reference: string, details = ADA) => world.others.request(givePayerDetails, { reference, ...details });
const sent = (reference: string) => world.others.request(reportSent, { reference });

test("details are stored once: a repeat is safe, different ones are refused", async () => {
  const { reference } = await createPayment(world, aShop());
  const given = await give(reference);
  expect(given).toMatchObject({ reference, detailsRequired: false, version: 2, status: "pending" });
  expect(await give(reference)).toEqual(given);
  for (const other of [
    { ...ADA, name: "Bola Ade" },
    { ...ADA, email: "bola@example.com" },
  ])
    await expect(give(reference, other)).rejects.toMatchObject({ code: "details_already_given" });
  await until("published", () => changed.all.find((fact) => fact.reference === reference && !fact.detailsRequired));
});

test("of many concurrent submissions of details one is stored", async () => {
  const { reference } = await createPayment(world, aShop());
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => give(reference, { ...ADA, name: `Payer ${n}` })),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test.each(["paid", "overpaid", "expired", "paid_late"])(
  "details are refused once the session is %s, and a repeat of those that were stored before is safe",
  async (status) => {
    const end = (reference: string) =>
      world.owner.query(
        `update sessions set status = $2, paid_at = case when $2 = 'expired' then null else now() end,
         amount_received = case $2 when 'expired' then 0 when 'overpaid' then amount + 1 else amount end
       where reference = $1`,
        [reference, status],
      );
    const { reference } = await createPayment(world, aShop());
    const other = (await createPayment(world, aShop())).reference;
    const given = await give(reference);
    await Promise.all([end(reference), end(other)]);
    expect(await give(reference)).toMatchObject({ status, version: given.version });
    await expect(give(other)).rejects.toMatchObject({ code: "session_closed" });
    expect(await rowOf(world, other)).toMatchObject({ payer_name: null, details_required: true, version: 1 });
  },
);

test("details are refused after the time of a session, expired or not yet, and after its merchant cancelled it", async () => {
  const merchant = aShop();
  const late = await createPayment(world, merchant);
  world.accounts.inTransit = new Set([late.account_number]);
  await ageSession(world, late.reference, 1_801);
  await expect(give(late.reference)).rejects.toMatchObject({ code: "session_closed" });
  expect(await rowOf(world, late.reference)).toMatchObject({ status: "pending", payer_name: null });
  world.accounts.inTransit = new Set();
  const { reference } = await createPayment(world, merchant);
  await world.others.request(cancelPayment, { merchant, reference });
  await expect(give(reference)).rejects.toMatchObject({ code: "session_closed" });
});

test("details are stored while a session is reported as sent or underpaid, and can still be paid", async () => {
  for (const status of ["processing", "underpaid"]) {
    const { reference } = await createPayment(world, aShop());
    await world.owner.query(
      `update sessions set status = $2, amount_received = case $2 when 'underpaid' then 1 else 0 end where reference = $1`,
      [reference, status],
    );
    expect(await give(reference)).toMatchObject({ status, detailsRequired: false });
  }
});

test("a session that has a customer or a name needs no details", async () => {
  for (const given of [aCustomer(), { customer_name: "Ada Obi" }]) {
    const { reference } = await createPayment(world, aShop(), given);
    await expect(give(reference)).rejects.toMatchObject({ code: "details_already_given" });
  }
});

test("details and sent reports for an unknown session are not found", async () => {
  await expect(give("pay_unknown")).rejects.toMatchObject({ code: "not_found" });
  await expect(sent("pay_unknown")).rejects.toMatchObject({ code: "not_found" });
});

test("a sent report moves the expiry to 30 minutes from then, and the watch window with it", async () => {
  const { reference } = await createPayment(world, aShop());
  await ageSession(world, reference, 1_200);
  const before = await world.owner.query("select * from sessions where reference = $1", [reference]);
  const session = await sent(reference);
  expect(session).toMatchObject({ status: "processing", version: 2 });
  const delay = Date.parse(session.expiresAt) - Date.parse(before.rows[0].expires_at);
  expect(delay).toBeGreaterThanOrEqual(1_200_000);
  expect(delay).toBeLessThan(1_800_000);
  expect(Date.parse(session.watchUntil) - Date.parse(before.rows[0].watch_until)).toBe(delay);
  await until("published", () => changed.all.find((fact) => fact.reference === reference && fact.version === 2));
});

test("a second sent report changes nothing", async () => {
  const { reference } = await createPayment(world, aShop());
  const first = await sent(reference);
  await ageSession(world, reference, 60);
  expect(await sent(reference)).toMatchObject({ status: "processing", version: first.version });
});

test.each(["paid", "underpaid", "overpaid", "expired", "paid_late"])(
  "a sent report does not change a session that is %s",
  async (status) => {
    const { reference } = await createPayment(world, aShop());
    await world.owner.query(
      `update sessions set status = $2, paid_at = case when $2 in ('expired', 'underpaid') then null else now() end,
       amount_received = case $2 when 'expired' then 0 when 'underpaid' then 1 when 'overpaid' then amount + 1 else amount end
     where reference = $1`,
      [reference, status],
    );
    expect(await sent(reference)).toMatchObject({ status, version: 1 });
  },
);

test("after its end a sent report does not keep a session open, expired or not yet", async () => {
  const { reference, account_number } = await createPayment(world, aShop());
  world.accounts.inTransit = new Set([account_number]);
  await ageSession(world, reference, 1_801);
  expect(await sent(reference)).toMatchObject({ status: "pending", version: 1 });
  world.accounts.inTransit = new Set();
  await until("expired", async () => (await rowOf(world, reference)).status === "expired");
});

test("the payer of a session that nothing was paid for is forgotten after its retention; a paid or a recent one stays", async () => {
  const anonymous = async () => (await createPayment(world, aShop())).reference;
  const [old, paid, recent] = [await anonymous(), await anonymous(), await anonymous()];
  for (const reference of [old, paid, recent]) await give(reference);
  const end = (reference: string, status: string, days: number) =>
    world.owner.query(
      `update sessions set status = $2, created_at = created_at - $3 * interval '1 day', expires_at = expires_at - $3 * interval '1 day',
         watch_until = watch_until - $3 * interval '1 day', amount_received = case $2 when 'paid' then amount else 0 end,
         paid_at = case $2 when 'paid' then created_at end
       where reference = $1`,
      [reference, status, days],
    );
  await end(old, "expired", 91);
  await end(paid, "paid", 91);
  await end(recent, "expired", 60);
  expect(await forgetUnpaidPayers(world.pool, { days: 90, max: 10 })).toBe(1);
  const { rows } = await world.owner.query(
    "select reference, payer_name, payer_email, amount > 0 as is_kept from sessions where reference = any ($1) order by payer_name nulls first",
    [[old, paid, recent]],
  );
  expect(rows[0]).toEqual({ reference: old, payer_name: null, payer_email: null, is_kept: true });
  expect(rows.slice(1).map(({ payer_email }) => payer_email)).toEqual([ADA.email, ADA.email]);
});

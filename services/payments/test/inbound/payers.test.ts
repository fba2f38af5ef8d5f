import { givePayerDetails, reportSent, sessionChanged } from "@collect/contracts";
import { type FactLog, recordFacts, until } from "@collect/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCustomer, aShop, letPass, openOne, openSessionsWorld, rowOf, type SessionsWorld } from "./sessions-world.ts";

let world: SessionsWorld;
let changed: FactLog<typeof sessionChanged>;

beforeAll(async () => {
  world = await openSessionsWorld();
  changed = await recordFacts(world.others, sessionChanged);
});
afterAll(() => world.stop());

const ADA = { name: "Ada Obi", email: "ada@example.com" };
const give = (reference: string, details = ADA) => world.others.request(givePayerDetails, { reference, ...details });
const sent = (reference: string) => world.others.request(reportSent, { reference });

test("details are given once: the same repeat safely, others are refused", async () => {
  const { reference } = await openOne(world, aShop());
  const given = await give(reference);
  expect(given).toMatchObject({ reference, detailsRequired: false, version: 2, status: "pending" });
  expect(await give(reference)).toEqual(given);
  for (const other of [
    { ...ADA, name: "Bola Ade" },
    { ...ADA, email: "bola@example.com" },
  ])
    await expect(give(reference, other)).rejects.toMatchObject({ code: "details_already_given" });
  await until("told", () => changed.all.find((fact) => fact.reference === reference && !fact.detailsRequired));
});

test("of many who give details at once one is heard", async () => {
  const { reference } = await openOne(world, aShop());
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => give(reference, { ...ADA, name: `Payer ${n}` })),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a session that has a customer or a name needs no details", async () => {
  for (const given of [aCustomer(), { customer_name: "Ada Obi" }]) {
    const { reference } = await openOne(world, aShop(), given);
    await expect(give(reference)).rejects.toMatchObject({ code: "details_already_given" });
  }
});

test("nobody gives details or sends for a session that is not there", async () => {
  await expect(give("pay_unknown")).rejects.toMatchObject({ code: "not_found" });
  await expect(sent("pay_unknown")).rejects.toMatchObject({ code: "not_found" });
});

test("once the payer says that it is sent expiry waits 30 minutes from then, and the watch window with it", async () => {
  const opened = await openOne(world, aShop());
  await letPass(world, opened.reference, 1_200);
  const before = await world.owner.query("select * from sessions where reference = $1", [opened.reference]);
  const session = await sent(opened.reference);
  expect(session).toMatchObject({ status: "processing", version: 2 });
  const delay = Date.parse(session.expiresAt) - Date.parse(before.rows[0].expires_at);
  expect(delay).toBeGreaterThanOrEqual(1_200_000);
  expect(delay).toBeLessThan(1_800_000);
  expect(Date.parse(session.watchUntil) - Date.parse(before.rows[0].watch_until)).toBe(delay);
  await until("told", () => changed.all.find((fact) => fact.reference === opened.reference && fact.version === 2));
});

test("it is said once: again it changes nothing", async () => {
  const { reference } = await openOne(world, aShop());
  const first = await sent(reference);
  await letPass(world, reference, 60);
  expect(await sent(reference)).toMatchObject({ status: "processing", version: first.version });
});

test.each(["paid", "underpaid", "overpaid", "expired", "paid_late"])(
  "a session that is %s is told as it is",
  async (status) => {
    const { reference } = await openOne(world, aShop());
    await world.owner.query(
      `update sessions set status = $2, paid_at = case when $2 in ('expired', 'underpaid') then null else now() end,
       amount_received = case $2 when 'expired' then 0 when 'underpaid' then 1 when 'overpaid' then amount + 1 else amount end
     where reference = $1`,
      [reference, status],
    );
    expect(await sent(reference)).toMatchObject({ status, version: 1 });
  },
);

test("after its end the payer cannot keep a session open, noted or not", async () => {
  const { reference, account_number } = await openOne(world, aShop());
  world.accounts.underWay = new Set([account_number]);
  await letPass(world, reference, 1_801);
  expect(await sent(reference)).toMatchObject({ status: "pending", version: 1 });
  world.accounts.underWay = new Set();
  await until("expired", async () => (await rowOf(world, reference)).status === "expired");
});

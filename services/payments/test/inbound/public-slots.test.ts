import {
  findPayableSession,
  getPayment,
  givePayerDetails,
  openPublicPayment,
  Problem,
  reportSent,
  sessionChanged,
} from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import {
  aCollectionFor,
  ageSession,
  aShop,
  createPay,
  createPayment,
  kobo,
  rowOf,
  type Shop,
  useSessions,
} from "./sessions-world.ts";

const world = await useSessions();
const changed = await recordFacts(world.others, sessionChanged);
const pay = await createPay(world);

const ADA = { name: "Ada Obi", email: "ada@example.com" };
const createPublic = async (merchant: Shop, amount = 2_500) =>
  (await world.others.request(openPublicPayment, { merchant, amount })).session.reference;
const give = (reference: string, details = ADA) => world.others.request(givePayerDetails, { reference, ...details });
const show = (merchant: Shop, reference: string) => world.others.request(getPayment, { merchant, reference });

/** A busy machine lets some of many wait for their merchant's slots for longer than a lock may: they are told to try again, and do. */
async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem && error.code === "service_unavailable")) throw error;
    }
  }
}

test("a session of a public key gets its account, its kobo and its full time with the payer's details", async () => {
  const merchant = aShop();
  const reference = await createPublic(merchant);
  expect(await show(merchant, reference)).toMatchObject({
    ...{ amount: 2_500, amount_requested: 2_500, account_number: null, account_name: null, bank_name: null },
  });
  await ageSession(world, reference, 1_500);
  const session = await give(reference);
  expect(session).toMatchObject({ version: 2, detailsRequired: false, accountName: "Ada Stores" });
  expect(session.hasAccount).toBeUndefined();
  const suffix = BigInt(session.amount) - BigInt(session.amountRequested);
  expect(suffix >= 1n && suffix <= 99n).toBe(true);
  const lengthS = (Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / 1_000;
  expect(lengthS).toBeGreaterThanOrEqual(1_500 + 1_800);
  expect(Date.parse(session.watchUntil) - Date.parse(session.expiresAt)).toBe(1_800_000);
  await until("published", () => changed.all.find((fact) => fact.reference === reference && fact.version === 2));
  const [collection] = await pay(aCollectionFor(await show(merchant, reference), merchant, { afterS: 1_502 }));
  expect(collection?.reference).toBe(reference);
});

test("details given many times at once take one slot", async () => {
  const merchant = aShop();
  const reference = await createPublic(merchant);
  const given = await Promise.all(Array.from({ length: 20 }, () => give(reference)));
  expect(new Set(given.map(({ amount, accountNumber }) => `${accountNumber} ${amount}`)).size).toBe(1);
  await expect(give(reference, { ...ADA, name: "Bola Ade" })).rejects.toMatchObject({ code: "details_already_given" });
  const { rows } = await world.owner.query(
    "select count(*)::integer as n from sessions where merchant_id = $1 and slot_held",
    [merchant.id],
  );
  expect(rows).toEqual([{ n: 1 }]);
});

test("many payers at once, with both kinds of key, never share an amount", async () => {
  const merchant = aShop();
  const references = await Promise.all(Array.from({ length: 60 }, () => createPublic(merchant)));
  const [publics, secrets] = await Promise.all([
    Promise.all(references.map((reference) => untilAnswered(() => give(reference)))),
    Promise.all(Array.from({ length: 30 }, () => untilAnswered(() => createPayment(world, merchant)))),
  ]);
  const slots = [
    ...publics.map(({ accountNumber, amount }) => `${accountNumber} ${amount}`),
    ...secrets.map(({ account_number, amount }) => `${account_number} ${kobo(amount)}`),
  ];
  expect(new Set(slots).size).toBe(90);
});

test("when no slot is free the details are refused and not stored; the server still gets one, and later so does the payer", async () => {
  const merchant = aShop();
  const references = await Promise.all(Array.from({ length: 200 }, () => createPublic(merchant)));
  const results = await Promise.allSettled(references.map((reference) => untilAnswered(() => give(reference))));
  const refused = references.filter((_, index) => results[index]?.status === "rejected");
  expect(refused).toHaveLength(200 - 2 * 99);
  expect(new Set(world.accounts.requestedBy(merchant.id))).toEqual(new Set([1, 2]));
  const [unlucky = "", taken = ""] = [refused[0], references.find((reference) => !refused.includes(reference))];
  await expect(give(unlucky)).rejects.toMatchObject({ code: "amount_slots_exhausted" });
  expect(await rowOf(world, unlucky)).toMatchObject({
    payer_name: null,
    slot_held: false,
    version: 1,
    quoted_at: null,
  });
  expect((await createPayment(world, merchant)).status).toBe("pending");
  // A slot is free again an hour after it was shown, and the pause.
  await ageSession(world, taken, 3_600 + 600);
  expect(await give(unlucky)).toMatchObject({ detailsRequired: false });
});

test("an unpaid slot is held for half an hour after its end; money that comes later is credited without a session", async () => {
  const merchant = aShop();
  const reference = await createPublic(merchant);
  await give(reference);
  const late = aCollectionFor(await show(merchant, reference), merchant, { afterS: 3_601 + 60 });
  await ageSession(world, reference, 3_660);
  await until("released", async () => !(await rowOf(world, reference)).slot_held);
  const [collection] = await pay({ ...late, paidAt: new Date().toISOString(), receivedAt: new Date().toISOString() });
  expect(collection).toMatchObject({ paymentReference: null, amount: late.amount });
  await until("expired", async () => (await rowOf(world, reference)).status === "expired");
});

test("money for a slot's former session is not taken for one that was created before but took the slot after it", async () => {
  const merchant = aShop();
  const former = await createPayment(world, merchant);
  const reference = await createPublic(merchant);
  const waiting = aCollectionFor(former, merchant, { afterS: 60 });
  await ageSession(world, former.reference, 9_001 + 600);
  await world.owner.query("update sessions set slot_held = false where reference = $1", [former.reference]);
  // The same amount on the same account, from now on.
  await world.owner.query(
    `update sessions set account_number = $2, account_name = 'Ada Stores', bank_name = 'Test Bank', amount = $3,
       quoted_at = now(), slot_held = true, details_required = false, payer_name = 'Ada', payer_email = 'a@example.com',
       created_at = created_at - interval '9650 seconds' where reference = $1`,
    [reference, former.account_number, kobo(former.amount)],
  );
  const at = new Date(Date.parse(waiting.receivedAt) - 9_600_000).toISOString();
  const [collection] = await pay({ ...waiting, paidAt: at, receivedAt: at });
  expect(collection?.paymentReference).toBe(former.reference);
});

test("without an account nothing is reported as sent, found to be paid, or given details after its time", async () => {
  const merchant = aShop();
  const reference = await createPublic(merchant);
  expect(await world.others.request(reportSent, { reference })).toMatchObject({ status: "pending", version: 1 });
  const found = await world.others.request(findPayableSession, { merchant, by: { reference } });
  expect(found.session).toMatchObject({ reference, account_number: null });
  await ageSession(world, reference, 1_801);
  await expect(give(reference)).rejects.toMatchObject({ code: "session_closed" });
  await until("expired", async () => (await rowOf(world, reference)).status === "expired");
});

test("what was quoted to a payer cannot be changed, not even by the service's own role", async () => {
  const merchant = aShop();
  const reference = await createPublic(merchant);
  await give(reference);
  await expect(
    world.pool.query("update sessions set account_number = '0000000017' where reference = $1", [reference]),
  ).rejects.toThrow(/was quoted already/);
});

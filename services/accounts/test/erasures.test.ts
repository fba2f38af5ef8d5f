import { randomId, until } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import {
  addTransfers,
  type ClaimedErasure,
  claimErasure,
  concludeErasure,
  erasedSince,
  extendErasure,
  leaveTransfers,
  listErasures,
  orderErasures,
  repeatErasures,
  storeErased,
  takeTransfers,
  unfinishedOf,
} from "../src/store/erasures.ts";
import { readInFlight } from "../src/store/received-minutes.ts";
import { anIntakeRow } from "./intake-rows.ts";
import { useAccountsWorld } from "./world.ts";

const world = await useAccountsWorld();
const pool = world.pools.workers;
afterAll(() => world.owner.query("update erasures set finished_at = now()"));

const LEASE_MS = 60_000;
const [HASH, FORMER] = ["aa", "bb"].map((byte) => byte.repeat(32)) as [string, string];
const receivedAt = new Date("2026-11-20T10:00:00.000Z");
const span = { from: "2026-11-20T10:00:00+00:00", to: "2026-11-20T10:01:00+00:00" };

/** A completed transfer whose event has this hash. */
async function aTransfer(given: { isCompleted?: boolean } = {}): Promise<string> {
  const intakeId = await anIntakeRow({ ...world, doorUrl: "", stop: async () => {} }, { receivedAt, ...given });
  await world.owner.query(
    `update inbound_transfers set reference = case when completed_at is not null then 'col_' || intake_id end,
       body_hash = decode($2, 'hex'), customer_reference = 'cust_1', customer_name = 'Ada Obi',
       metadata = '{"name":"Ada"}', narration = 'rent' where intake_id = $1`,
    [intakeId, FORMER],
  );
  return intakeId;
}

/** The only erasure that is not finished, with these transfers. */
async function anErasure(intakeIds: string[], kind: "customer" | "payer" = "customer") {
  await world.owner.query("update erasures set finished_at = now()");
  const id = randomId("ers");
  await orderErasures(pool, [{ id, merchant: { id: "mer_1", mode: "live" }, kind, reference: id }]);
  const claimed = await until("it is due", () => claimErasure(pool, LEASE_MS));
  await addTransfers(pool, id, intakeIds);
  return { id, claimed };
}

const hashOf = (intake_id: string, body_hash = HASH) => ({ intake_id, body_hash });
const rowOf = async (intakeId: string) =>
  (
    await world.owner.query(
      `select payer_name, payer_account_number, narration, customer_name, metadata, amount, encode(body_hash, 'hex') as hash
       from inbound_transfers where intake_id = $1`,
      [intakeId],
    )
  ).rows[0];
const take = (claimed: ClaimedErasure, limit: number, after = "") => takeTransfers(pool, claimed, { after, limit });
const conclude = (id: string) => concludeErasure(pool, id, { isInFlight: false, waitMs: 0 });

test("a transfer that is being erased is in flight for the audit until its hash is stored", async () => {
  const intakeId = await aTransfer();
  const began = new Date();
  const { id, claimed } = await anErasure([intakeId]);
  const inFlight = async () => (await readInFlight(pool, span, 100)).map((row) => row.intake_id);
  expect(await inFlight()).not.toContain(intakeId);
  expect(await take(claimed, 10)).toEqual([intakeId]);
  expect(await inFlight()).toContain(intakeId);
  expect(await rowOf(intakeId)).toMatchObject({
    payer_name: "Erased",
    customer_name: "Erased",
    metadata: null,
    hash: FORMER,
    amount: 100n,
  });
  expect(await conclude(id)).toBe(false);
  await storeErased(pool, claimed, [hashOf(intakeId)]);
  expect(await inFlight()).not.toContain(intakeId);
  // A comparison that began before sees the former hash in one of its two reads.
  expect(await erasedSince(pool, [intakeId], began)).toEqual(new Set([intakeId]));
  expect(await erasedSince(pool, [intakeId], new Date(Date.now() + 60_000))).toEqual(new Set());
  expect(await rowOf(intakeId)).toMatchObject({ hash: HASH });
  expect(await conclude(id)).toBe(true);
});

test("of a payer, the merchant's customer is kept with the metadata", async () => {
  const intakeId = await aTransfer();
  const { claimed } = await anErasure([intakeId], "payer");
  await take(claimed, 10);
  expect(await rowOf(intakeId)).toMatchObject({
    ...{ payer_name: "Erased", payer_account_number: null, narration: null },
    customer_name: "Ada Obi",
    metadata: { name: "Ada" },
  });
});

test("what a crash left is taken again, and a hash that comes late changes nothing", async () => {
  const [one, other] = [await aTransfer(), await aTransfer()].toSorted();
  const { claimed } = await anErasure([one ?? "", other ?? ""]);
  expect(await take(claimed, 1)).toEqual([one]);
  expect(await take(claimed, 1)).toEqual([one]);
  await storeErased(pool, claimed, [hashOf(one ?? "")]);
  await storeErased(pool, claimed, [hashOf(one ?? "", FORMER)]);
  expect(await rowOf(one ?? "")).toMatchObject({ hash: HASH });
  expect(await take(claimed, 10)).toEqual([other]);
});

test("a transfer without an event is left to the next pass: others go on, the audit compares it, and the erasure is not over", async () => {
  const [one, other] = [await aTransfer(), await aTransfer()].toSorted() as [string, string];
  const { id, claimed } = await anErasure([one, other]);
  const inFlight = async () => (await readInFlight(pool, span, 100)).map((row) => row.intake_id);
  expect(await take(claimed, 1)).toEqual([one]);
  await leaveTransfers(pool, claimed, [one]);
  expect(await inFlight()).not.toContain(one);
  expect(await take(claimed, 1, one)).toEqual([other]);
  await storeErased(pool, claimed, [hashOf(other)]);
  expect(await take(claimed, 1, other)).toEqual([]);
  expect(await conclude(id)).toBe(false);
  expect(await take(claimed, 10)).toEqual([one]);
  await storeErased(pool, claimed, [hashOf(one)]);
  expect(await conclude(id)).toBe(true);
});

test("erasures in progress are listed before newer ones that are finished, and one is found by its id", async () => {
  const { id } = await anErasure([]);
  await world.owner.query(
    `insert into erasures (id, merchant_id, mode, kind, reference, requested_at, finished_at)
     select 'ers_finished_' || n, 'mer_1', 'live', 'payer', 'col_1', now() + interval '1 hour', now() from generate_series(1, 250) as n`,
  );
  const listed = await listErasures(pool, undefined);
  expect(listed).toHaveLength(200);
  expect(listed.map(({ finished_at }) => finished_at === null)).toEqual([true, ...Array(199).fill(false)]);
  expect(listed[0]?.id).toBe(id);
  expect(await listErasures(pool, id)).toEqual([listed[0]]);
  expect(await listErasures(pool, "ers_unknown")).toEqual([]);
});

test("a transfer on its way to the merchant's event waits, and with it the end of the erasure", async () => {
  const intakeId = await aTransfer({ isCompleted: false });
  const { id, claimed } = await anErasure([intakeId]);
  expect(await take(claimed, 10)).toEqual([]);
  expect(await conclude(id)).toBe(false);
  await world.owner.query("update inbound_transfers set completed_at = now(), reference = 'col' where intake_id = $1", [
    intakeId,
  ]);
  expect(await take(claimed, 10)).toEqual([intakeId]);
});

test("one erasure runs at a time; the lease of a crashed process ends", async () => {
  const { id } = await anErasure([]);
  const other = randomId("ers");
  await orderErasures(pool, [{ id: other, merchant: { id: "mer_1", mode: "live" }, kind: "payer", reference: other }]);
  // It was ordered later, also if both were ordered within a millisecond.
  await world.owner.query("update erasures set due_at = due_at - interval '1 second' where id = $1", [id]);
  expect(await Promise.all([claimErasure(pool, LEASE_MS), claimErasure(pool, LEASE_MS)])).toEqual([
    undefined,
    undefined,
  ]);
  await extendErasure(pool, id, -1);
  const claims = await Promise.all(Array.from({ length: 4 }, () => claimErasure(pool, LEASE_MS)));
  expect(claims.flatMap((claim) => claim?.erasure.id ?? [])).toEqual([id]);
  await conclude(id);
  expect((await until("the other is due", () => claimErasure(pool, LEASE_MS))).erasure.id).toBe(other);
});

test("a repeat takes everything again, also what an unfinished run has done, and an order that is running stays one", async () => {
  const intakeId = await aTransfer();
  const { id, claimed } = await anErasure([intakeId]);
  await take(claimed, 10);
  await storeErased(pool, claimed, [hashOf(intakeId)]);
  const order = { id, merchant: claimed.erasure.merchant, kind: "customer" as const, reference: id };
  await orderErasures(pool, [order, order].slice(0, 1));
  expect(await take(claimed, 10)).toEqual([]);
  expect(await repeatErasures(pool, new Date().toISOString())).toBe(1);
  // The former run cannot end it.
  expect(await conclude(id)).toBe(false);
  const again = await until("it is due", () => claimErasure(pool, LEASE_MS));
  expect([again.run, await take(again, 10)]).toEqual([2, [intakeId]]);
});

test("what the bank said of a transfer can still not be changed, but for the erasure of its payer", async () => {
  const intakeId = await aTransfer();
  const set = (assignment: string) =>
    world.owner.query(`update inbound_transfers set ${assignment} where intake_id = $1`, [intakeId]);
  for (const change of [
    "payer_name = 'Bola Ade'",
    "payer_name = 'Erased'",
    "amount = 1",
    "account_number = '0000000025'",
  ])
    await expect(set(change)).rejects.toMatchObject({ code: "23001" });
});

test("a transfer that another bank credits to an account with the same number is not the customer's, and keeps no erasure of theirs waiting", async () => {
  const customer = async (partner: string | null, customer_reference: string, account_number: string) => {
    await world.owner.query(
      `insert into customer_accounts (id, merchant_id, mode, customer_reference, customer_name, account_number, account_name, bank_name, partner,
         issue_request_id, status)
       values ('acc_' || $1, 'mer_1', 'live', $1, 'Ada Obi', $2, 'Acme / Ada Obi', 'Bank', $3, 'iss_' || $1, 'active')`,
      [customer_reference, account_number, partner],
    );
    const person = { merchant: { id: "mer_1", mode: "live" as const }, kind: "customer" as const };
    return () => unfinishedOf(pool, { ...person, reference: customer_reference }, "729");
  };
  const received = (bank: string, accountNumber: string) =>
    anIntakeRow(
      { ...world, doorUrl: "", stop: async () => {} },
      { receivedAt, bank, accountNumber, isCompleted: false },
    );
  // One that is stored without a partner, as by earlier releases, is the own bank's.
  const [ours, theirs] = [
    await customer(null, "erased_1", "7000000001"),
    await customer("044", "erased_2", "7000000002"),
  ];
  await received("044", "7000000001");
  await received("729", "7000000002");
  expect([await ours(), await theirs()]).toEqual([0, 0]);
  await received("729", "7000000001");
  await received("044", "7000000002");
  expect([await ours(), await theirs()]).toEqual([1, 1]);
});

import {
  allocateTransfer,
  listExceptions,
  redriveReversals,
  reversalRecorded,
  suspensePosted,
  suspenseReversed,
  unallocatedReversed,
} from "@collect/contracts";
import { randomId, recordFacts, until } from "@collect/testing";
import { expect, test, vi } from "vitest";
import { missingReversals, restoreReversals } from "../src/store/reversal-recovery.ts";
import { aLiveAccount, outOfSuspense, rowOf, world } from "./intake-world.ts";
import {
  AT,
  aCredit,
  aReversal,
  complete,
  drive,
  publishedOf,
  quarantineOf,
  recordedOf,
  reversalOf,
  statusOf,
  untilPublished,
  useReversals,
} from "./reversing.ts";
import { aReport, report } from "./world.ts";

await useReversals();
const unallocatedBack = await recordFacts(world.others, unallocatedReversed);

test("a reversal of a complete transfer is committed, answered, published with its owner, and complete once its event is recorded", async () => {
  const { merchant, transfer, intakeId } = await aCredit({ bank_fee: 25, bank_vat: 1.88 });
  const back = aReversal(transfer, { bank_fee: 25, paid_at: "2026-11-22T10:30:00+01:00", session_id: "0".repeat(30) });
  expect(await report(world, back)).toEqual({ status: 200, body: { id: back.id, status: "accepted" } });
  const row = await reversalOf(back);
  expect(row).toMatchObject({ credit_id: intakeId, reversed_before: 0n, merchant_id: merchant.id, completed_at: null });
  expect(row.reversal_id).not.toBe(intakeId);
  expect(await untilPublished(row.reversal_id)).toEqual({
    ...{ intakeId: row.reversal_id, creditId: intakeId, merchant: { id: merchant.id, mode: "live" } },
    ...{ amount: 250_073n, reversedBefore: 0n, reversedAt: AT, receivedAt: row.received_at, fundedBy: "bank" },
    source: {
      ...{ bank: "729", bankTransferId: back.id, accountNumber: transfer.account_number, allocated: false },
      ...{ bankFee: 2_500n, sessionId: "0".repeat(30) },
    },
    mac: expect.stringMatching(/^test:[0-9a-f]{64}$/),
  });
  expect(await rowOf(transfer.id)).toMatchObject({ reversed: 250_073n, completed_at: expect.any(String) });
  const recorded = { ...recordedOf(row.reversal_id, merchant), reference: "rev_1", sequence: 7, deliveryNumber: 9 };
  await world.others.publish(reversalRecorded, [recorded, recorded]);
  await until("complete", async () => (await reversalOf(back)).completed_at !== null);
  expect(await reversalOf(back)).toMatchObject({ reference: "rev_1", sequence: 7n, delivery_number: 9n });
  const warned = vi.spyOn(world.log, "warn");
  expect(await statusOf(back)).toBe("duplicate");
  expect(warned).not.toHaveBeenCalled();
  expect(await statusOf({ ...back, bank_fee: 0.01 })).toBe("duplicate");
  expect(await reversalOf(back)).toMatchObject({ bank_fee: 2_500n });
  const repeated = { intake_id: row.reversal_id, mode: "live" };
  expect(warned).toHaveBeenCalledExactlyOnceWith(repeated, expect.stringContaining("other charges"));
  warned.mockRestore();
  await expect(
    world.owner.query("update inbound_reversals set amount = 1 where bank_transfer_id = $1", [back.id]),
  ).rejects.toThrow("what the bank said");
});

test("the same reversal reported 20 times at once is taken once; under the id of its credit it is another report than that", async () => {
  const { transfer } = await aCredit();
  const back = aReversal(transfer, { id: transfer.id, reverses: undefined });
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(back)));
  expect(statuses.toSorted()).toEqual(["accepted", ...Array.from({ length: 19 }, () => "duplicate")]);
  expect((await rowOf(transfer.id)).reversed).toBe(250_073n);
  expect(await statusOf(transfer)).toBe("duplicate");
});

test.each([
  ["amount", { amount: 1 }],
  ["account", { account_number: "9999999999" }],
  ["transfer", { reverses: "another" }],
])("a known reversal with another %s is quarantined, and the first one stays", async (_what, other) => {
  const { transfer } = await aCredit();
  const back = aReversal(transfer);
  await statusOf(back);
  const before = await reversalOf(back);
  expect(await statusOf({ ...back, ...other })).toBe("quarantined");
  expect(await quarantineOf(back)).toContain("a known reversal with another");
  expect({ ...(await reversalOf(back)), drives: 0, drive_at: 0 }).toEqual({ ...before, drives: 0, drive_at: 0 });
});

test("parts are taken back up to the transfer, at once or in turn; what is more is quarantined, and taken when it fits", async () => {
  const { transfer } = await aCredit({ amount: 1_000 });
  const parts = Array.from({ length: 8 }, () => aReversal(transfer, { amount: 300 }));
  const statuses = await Promise.all(parts.map(statusOf));
  expect(statuses.toSorted()).toEqual([...Array(3).fill("accepted"), ...Array(5).fill("quarantined")]);
  const rows = await Promise.all(parts.map(reversalOf));
  const before = rows.flatMap((row) => (row ? [row.reversed_before] : [])).toSorted((a, b) => Number(a - b));
  expect(before).toEqual([0n, 30_000n, 60_000n]);
  expect(await quarantineOf(parts[statuses.indexOf("quarantined")] ?? { id: "" })).toBe(
    "a reversal of more than is left of its transfer",
  );
  expect(await statusOf(aReversal(transfer, { amount: 100.01 }))).toBe("quarantined");
  expect(await statusOf(aReversal(transfer, { amount: 100 }))).toBe("accepted");
  await expect(
    world.owner.query("update inbound_transfers set reversed = amount + 1 where bank_transfer_id = $1", [transfer.id]),
  ).rejects.toThrow("reversed_a_part");
});

test.each([
  ["another account", { account_number: "9999999999" }, "a reversal of money in another account"],
  ["another currency", { currency: "USD" }, "currency USD"],
  ["charges above the amount", { bank_fee: 3_000 }, "bank charges above the amount"],
])("a reversal with %s is quarantined", async (_what, given, reason) => {
  const { transfer } = await aCredit();
  const back = aReversal(transfer, given);
  expect(await statusOf(back)).toBe("quarantined");
  expect(await quarantineOf(back)).toBe(reason);
  expect(await reversalOf(back)).toBeUndefined();
});

test("what was taken out of suspense has two facts once the rest is allocated; all of it cannot be allocated any more", async () => {
  const { merchant } = await aLiveAccount();
  const [transfer, gone] = [aReport("0123456780", { amount: 1_000 }), aReport("0123456780")];
  for (const one of [transfer, gone]) expect(await statusOf(one)).toBe("unallocated");
  const ids = [(await rowOf(transfer.id)).intake_id, (await rowOf(gone.id)).intake_id];
  await world.others.publish(
    suspensePosted,
    ids.map((intakeId) => ({ intakeId, mode: "live", amount: 1n, transactionId: "1", postedAt: AT })),
  );
  await until("complete", async () => (await rowOf(gone.id)).completed_at !== null);
  const [back, all] = [aReversal(transfer, { amount: 400, bank_fee: 1 }), aReversal(gone)];
  for (const one of [back, all]) expect(await statusOf(one)).toBe("accepted");
  const { reversal_id: intakeId } = await reversalOf(back);
  const [fact] = await until("published", () => {
    const facts = unallocatedBack.all.filter((one) => one.intakeId === intakeId);
    return facts.length > 0 && facts;
  });
  expect(fact).toMatchObject({ creditId: ids[0], mode: "live", amount: 40_000n, bankFee: 100n });
  // Operators see what is left of the one, and nothing of the other.
  const { unallocated: held } = await world.others.request(listExceptions, {});
  expect(held.filter(({ intake_id }) => ids.includes(intake_id))).toMatchObject([
    { intake_id: ids[0], amount_kobo: "60000" },
  ]);
  const booked = { intakeId, mode: "live" as const, amount: 40_000n, transactionId: "2", postedAt: AT };
  await world.others.publish(suspenseReversed, [booked]);
  await until("booked", async () => (await reversalOf(back)).completed_at !== null);
  const owner = { merchant: { id: merchant.id, mode: "live" as const }, customer_reference: "cust_42" };
  const allocate = (intake_id = "") => world.others.request(allocateTransfer, { intake_id, ...owner });
  await expect(allocate(ids[1])).rejects.toMatchObject({ code: "conflict" });
  // The ledger knows a part that a restore of accounts lost.
  outOfSuspense.set(ids[0], [intakeId, "int_lost"]);
  await expect(allocate(ids[0])).rejects.toMatchObject({
    code: "conflict",
    detail: expect.stringContaining("restore"),
  });
  expect(await rowOf(transfer.id)).toMatchObject({ merchant_id: null, allocated_at: null });
  outOfSuspense.set(ids[0], [intakeId]);
  await allocate(ids[0]);
  expect(await reversalOf(back)).toMatchObject({ merchant_id: merchant.id, completed_at: null });
  // A late answer of the ledger about suspense does not complete it.
  await world.others.publish(suspenseReversed, [booked]);
  await drive();
  expect(publishedOf(intakeId)).toEqual([]);
  // A service that recovers does not wait for it: its credit may wait for that service.
  const redriven = () => world.others.request(redriveReversals, { since: transfer.paid_at, after: null });
  const listed = expect.objectContaining({ intake_id: intakeId, allocated: true });
  expect((await redriven()).rows).not.toContainEqual(listed);
  await complete(transfer, merchant);
  expect((await redriven()).rows).toContainEqual(listed);
  expect(await untilPublished(intakeId)).toMatchObject({ fundedBy: "suspense", source: { allocated: true } });
  expect((await reversalOf(back)).completed_at).toBeNull();
});

test("after a restore of another service reversals are driven once more", async () => {
  const { merchant, transfer } = await aCredit();
  const back = aReversal(transfer);
  await statusOf(back);
  const { reversal_id: intakeId } = await reversalOf(back);
  await untilPublished(intakeId);
  await world.others.publish(reversalRecorded, [recordedOf(intakeId, merchant)]);
  await until("complete", async () => (await reversalOf(back)).completed_at !== null);
  const published = publishedOf(intakeId).length;
  const { rows } = await world.others.request(redriveReversals, { since: transfer.paid_at, after: null });
  expect(rows).toContainEqual(
    expect.objectContaining({ intake_id: intakeId, merchant: { id: merchant.id, mode: "live" } }),
  );
  await until("published again", () => publishedOf(intakeId).length > published);
});

test("after a restore of accounts, payments' copies are admitted as they were, whatever is left of them here", async () => {
  const [gone, waiting] = [await aCredit(), await aCredit()];
  const back = aReversal(waiting.transfer, { amount: 1 });
  // It arrived before the copies: nothing is admitted until then.
  const insert = `insert into inbound_reversals (reversal_id, credit_id, bank, mode, bank_transfer_id, account_number, amount,
    bank_fee, bank_vat, reversed_at, received_at, drive_at) values ($1, $2, '729', 'live', $3, $4, 100, 0, 0, $5, $5, 'infinity')`;
  await world.owner.query(insert, [randomId("int"), waiting.intakeId, back.id, back.account_number, AT]);
  const copyOf = ({ merchant, intakeId, transfer }: typeof gone, bankTransferId: string, id: string) => ({
    ...{ intakeId: id, creditId: intakeId, merchant: { id: merchant.id, mode: "live" as const }, amount: 100n },
    ...{ reversedBefore: 200n, reversedAt: AT, receivedAt: AT, fundedBy: "bank" as const },
    source: { bank: "729", bankTransferId, accountNumber: transfer.account_number, allocated: false, bankFee: 3n },
  });
  const lost = copyOf(gone, randomId("rev"), randomId("int"));
  const copies = [lost, copyOf(waiting, back.id, (await reversalOf(back)).reversal_id)];
  for (let times = 0; times < 2; times++) await restoreReversals(world.pool, copies);
  for (const { source } of copies)
    expect(await reversalOf({ id: source.bankTransferId })).toMatchObject({ reversed_before: 200n, refused: null });
  expect(await rowOf(gone.transfer.id)).toMatchObject({ reversed: 300n });
  expect(await missingReversals(world.pool, [lost.intakeId, "int_unknown"])).toEqual(["int_unknown"]);
  expect(await untilPublished(lost.intakeId)).toMatchObject({ reversedBefore: 200n, source: { bankFee: 3n } });
});

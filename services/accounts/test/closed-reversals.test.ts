import {
  allocateTransfer,
  closeRefusedReversal,
  listExceptions,
  redriveReversals,
  reversalRecorded,
  suspensePosted,
} from "@collect/contracts";
import { until } from "@collect/testing";
import { expect, onTestFinished, test } from "vitest";
import { restoreReversals } from "../src/store/reversal-recovery.ts";
import { measureUnfinished } from "../src/store/unfinished.ts";
import { rowOf, world } from "./intake-world.ts";
import { ledger, refusals } from "./others.ts";
import {
  AT,
  aCredit,
  aReversal,
  complete,
  drive,
  publishedOf,
  receivedAgo,
  recordedOf,
  reversalOf,
  statusOf,
  untilPublished,
  useReversals,
} from "./reversing.ts";
import { aReport } from "./world.ts";

/** Accounts when an operator closes what the ledger refuses; the ledger is played. */

await useReversals();

const REASON = "The bank withdrew its report: letter of 12 December";
const close = (intake_id: string) => world.others.request(closeRefusedReversal, { intake_id, reason: REASON });
const REFUSAL = "takes back more than is left";

/** A reversal on its way, which the ledger refuses. */
async function aRefused(given: object = {}) {
  const credit = await aCredit();
  const back = aReversal(credit.transfer, given);
  await statusOf(back);
  const { reversal_id: intakeId } = await reversalOf(back);
  await untilPublished(intakeId);
  refusals.set(intakeId, REFUSAL);
  return { ...credit, back, intakeId, creditId: credit.intakeId };
}
const unfinished = async () => (await measureUnfinished(world.pool)).find(({ mode }) => mode === "live")?.count ?? 0;

test("what the ledger refuses is closed once: it is measured, listed and driven no more, and its row says why", async () => {
  const { back, intakeId, transfer } = await aRefused();
  await receivedAgo(back, "2 hours");
  const before = await unfinished();
  const [first, second] = await Promise.all([close(intakeId), close(intakeId)]);
  expect([first, second].toSorted((a, b) => (a.status < b.status ? -1 : 1))).toEqual([
    { status: "closed", refusal: REFUSAL },
    { status: "duplicate", refusal: null },
  ]);
  expect(refusals.has(intakeId)).toBe(false);
  const row = await reversalOf(back);
  expect(row).toMatchObject({
    closed_reason: REASON,
    closed_at: row.completed_at,
    reference: null,
    reversed_before: 0n,
  });
  expect(await unfinished()).toBe(before - 1);
  const { reversals = [] } = await world.others.request(listExceptions, {});
  expect(reversals.map(({ intake_id }) => intake_id)).not.toContain(intakeId);
  // Neither a recovering service nor the bank's repeat drives it again, and what is left of the credit stays as it was.
  const published = publishedOf(intakeId).length;
  const { rows } = await world.others.request(redriveReversals, { since: transfer.paid_at, after: null });
  expect(rows.map(({ intake_id }) => intake_id)).not.toContain(intakeId);
  expect(await statusOf(back)).toBe("duplicate");
  await drive();
  const other = await aRefused();
  expect(publishedOf(other.intakeId).length).toBeGreaterThan(0);
  expect(publishedOf(intakeId)).toHaveLength(published);
  expect(await rowOf(transfer.id)).toMatchObject({ reversed: 250_073n });
  expect(await close(intakeId)).toEqual({ status: "duplicate", refusal: null });
});

test("what the ledger does not refuse, what waits, what is booked and what is unknown are not closed", async () => {
  const { back, intakeId, merchant, creditId } = await aRefused();
  refusals.delete(intakeId);
  const refused = { code: "conflict", errors: [expect.objectContaining({ code: "not_refused" })] };
  await expect(close(intakeId)).rejects.toMatchObject(refused);
  expect(await reversalOf(back)).toMatchObject({ completed_at: null, closed_at: null });
  const early = aReversal(aReport("0000000001"));
  await statusOf(early);
  const { reversal_id: waiting } = await reversalOf(early);
  refusals.set(waiting, REFUSAL);
  await expect(close(waiting)).rejects.toMatchObject(refused);
  await world.others.publish(reversalRecorded, [recordedOf(intakeId, merchant)]);
  await until("booked", async () => (await reversalOf(back)).completed_at !== null);
  refusals.set(intakeId, REFUSAL);
  await expect(close(intakeId)).rejects.toMatchObject(refused);
  await expect(close(creditId)).rejects.toMatchObject({ code: "not_found" });
});

test("an act that failed once the reversal was closed is finished by a repeat", async () => {
  const { back, intakeId } = await aRefused();
  ledger.isAway = true;
  onTestFinished(() => {
    ledger.isAway = false;
  });
  await expect(close(intakeId)).rejects.toMatchObject({ code: "service_unavailable" });
  expect(await reversalOf(back)).toMatchObject({ closed_reason: REASON });
  expect(refusals.has(intakeId)).toBe(true);
  ledger.isAway = false;
  expect(await close(intakeId)).toEqual({ status: "duplicate", refusal: null });
  expect(refusals.has(intakeId)).toBe(false);
});

test("what was not taken out of suspense is not taken from the owner of the rest either", async () => {
  const { merchant } = await aCredit();
  const transfer = aReport("0123456780", { amount: 1_000 });
  expect(await statusOf(transfer)).toBe("unallocated");
  const { intake_id: creditId } = await rowOf(transfer.id);
  const booked = { intakeId: creditId, mode: "live" as const, amount: 1n, transactionId: "1", postedAt: AT };
  await world.others.publish(suspensePosted, [booked]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  const back = aReversal(transfer, { amount: 400 });
  expect(await statusOf(back)).toBe("accepted");
  const { reversal_id: intakeId } = await reversalOf(back);
  refusals.set(intakeId, REFUSAL);
  expect(await close(intakeId)).toMatchObject({ status: "closed" });
  const { id, mode } = merchant;
  await world.others.request(allocateTransfer, {
    ...{ intake_id: creditId, merchant: { id, mode }, customer_reference: "cust_42" },
  });
  await complete(transfer, merchant);
  await drive();
  expect(await reversalOf(back)).toMatchObject({
    merchant_id: null,
    allocated_at: null,
    completed_at: expect.any(String),
  });
  expect(publishedOf(intakeId)).toEqual([]);
});

test("what payments has after a restore was booked, whatever was closed", async () => {
  const { merchant } = await aCredit();
  const suspended = aReport("0123456781", { amount: 1_000 });
  await statusOf(suspended);
  const { intake_id: creditId } = await rowOf(suspended.id);
  const booked = { intakeId: creditId, mode: "live" as const, amount: 1n, transactionId: "1", postedAt: AT };
  await world.others.publish(suspensePosted, [booked]);
  await until("complete", async () => (await rowOf(suspended.id)).completed_at !== null);
  const back = aReversal(suspended, { amount: 400 });
  await statusOf(back);
  const { reversal_id: intakeId } = await reversalOf(back);
  refusals.set(intakeId, "is booked as taken from a collection");
  expect(await close(intakeId)).toMatchObject({ status: "closed" });
  await restoreReversals(world.pool, [
    {
      ...{ intakeId, creditId, merchant: { id: merchant.id, mode: "live" }, amount: 40_000n, reversedBefore: 0n },
      ...{ reversedAt: AT, receivedAt: AT, fundedBy: "bank" },
      source: { bank: "729", bankTransferId: back.id, accountNumber: "0123456781", allocated: false },
    },
  ]);
  expect(await reversalOf(back)).toMatchObject({ merchant_id: merchant.id, completed_at: null, closed_at: null });
});

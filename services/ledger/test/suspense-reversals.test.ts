import {
  type Fact,
  listSuspenseReversals,
  suspenseReversed,
  transferReversed,
  transferUnallocated,
  unallocatedReversed,
} from "@collect/contracts";
import { aTransfer, randomId, recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { balancesOf, faultsOf, useLedger } from "./ledger.ts";
import { AT, aReversal, SOURCE, type Transfer, useReversing } from "./reversing.ts";

/** The ledger when a bank takes money back that is, or was, in suspense. Amounts in kobo; the fee is 1 %. */

const ledger = await useLedger({ replicas: 2, auditing: { everyMs: 50 } });
const { others } = ledger;
const { balance, isDead, proofHolds, receive, reverse } = await useReversing(ledger);
const booked = await recordFacts(others, suspenseReversed);

const SHARDS = ["test:suspense:0", "test:suspense:1"];
const held = async () => -(await balancesOf(ledger.owner, ...SHARDS)).reduce((sum, one) => sum + one, 0n);
const atBank = async () =>
  (await balancesOf(ledger.owner, "test:bank:0", "test:bank:1")).reduce((sum, one) => sum + one, 0n);

/** ₦1,000 in suspense, and what was there before. */
async function inSuspense() {
  const transfer = aTransfer({ amount: 100_000n, fundedBy: "suspense" });
  const { intakeId, amount, paidAt, receivedAt, merchant } = transfer;
  const before = await held();
  await others.publish(transferUnallocated, [{ intakeId, mode: merchant.mode, amount, paidAt, receivedAt }]);
  await until("held", async () => (await held()) === before + amount);
  return { transfer, before };
}
type Taken = Fact<typeof unallocatedReversed>;
const aTaken = ({ intakeId: creditId }: Transfer, amount: bigint, given: Partial<Taken> = {}): Taken => ({
  ...{ intakeId: randomId("int"), creditId, mode: "test", amount, reversedAt: AT, receivedAt: AT, ...given },
});
const take = async (taken: Taken) => {
  await others.publish(unallocatedReversed, [taken]);
  await until("booked", () => booked.all.some(({ intakeId }) => intakeId === taken.intakeId));
};

test("money taken out of suspense is taken back from its owner once the rest is allocated, and suspense is empty", async () => {
  const { transfer, before } = await inSuspense();
  const reversal = aReversal(transfer, { amount: 40_000n, fundedBy: "suspense", source: { ...SOURCE, bankFee: 7n } });
  await take(aTaken(transfer, 40_000n, { intakeId: reversal.intakeId, bankFee: 7n }));
  expect(await held()).toBe(before + 60_000n);
  const { intakeId: credit_id } = transfer;
  expect(await others.request(listSuspenseReversals, { credit_id })).toEqual({ intake_ids: [reversal.intakeId] });
  await receive(transfer);
  await reverse(reversal);
  expect(await held()).toBe(before);
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 594 });
  expect(await others.request(listSuspenseReversals, { credit_id: randomId("int") })).toEqual({ intake_ids: [] });
  await proofHolds();
});

test.each(["the allocation", "what its owner gives back"])(
  "what the bank took out of suspense before the rest was allocated is booked, even if it is read after %s",
  async (read) => {
    const { transfer, before } = await inSuspense();
    const [paid, part] = [await atBank(), aTaken(transfer, 40_000n)];
    const ofOwner = aReversal(transfer, { intakeId: part.intakeId, amount: 40_000n, fundedBy: "suspense" });
    await receive(transfer);
    if (read === "the allocation") {
      await take(part);
      await reverse(ofOwner);
    } else {
      await reverse(ofOwner);
      await take(part);
    }
    expect(await held()).toBe(before);
    expect(await atBank()).toBe(paid - 40_000n);
    expect(await balance(transfer.merchant)).toMatchObject({ collected: 594 });
    await proofHolds();
  },
);

test("what is booked out of suspense is not paid to the bank again when accounts has forgotten it, nor the other way around", async () => {
  const { transfer } = await inSuspense();
  const [first, second] = [aTaken(transfer, 40_000n), aTaken(transfer, 30_000n)];
  await take(first);
  await receive(transfer);
  const paid = await atBank();
  // Restored, accounts takes it for money of the merchant.
  const forgotten = aReversal(transfer, { intakeId: first.intakeId, amount: 40_000n });
  await others.publish(transferReversed, [forgotten]);
  expect(await isDead(forgotten.intakeId)).toContain("is booked as taken out of suspense");
  expect(ledger.alarms).toContainEqual({ alarm: "reversal_refused", intake_id: forgotten.intakeId });
  expect(await atBank()).toBe(paid);
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 990 });
  await reverse(aReversal(transfer, { intakeId: second.intakeId, amount: 30_000n }));
  await others.publish(unallocatedReversed, [second]);
  expect(await isDead(second.intakeId)).toContain("is booked as taken from a collection");
  expect(await atBank()).toBe(paid - 30_000n);
  expect(await faultsOf(ledger.owner)).toEqual([]);
  await proofHolds();
});

test("no more than the credit leaves suspense, in parts at once or after its allocation; without the credit nothing is booked", async () => {
  const { transfer, before } = await inSuspense();
  const early = aTaken(aTransfer(), 1_000n);
  const parts = Array.from({ length: 4 }, () => aTaken(transfer, 30_000n));
  await Promise.all([early, ...parts].map((part) => others.publish(unallocatedReversed, [part])));
  const refused = await until("one is refused", () => ledger.alarms.find(isRefusalOf(parts)));
  expect(refused).toMatchObject({ alarm: "reversal_refused" });
  await until("three are booked", async () => (await held()) === before + 10_000n);
  const ofAnotherMode = aTaken(transfer, 1_000n, { mode: "live" });
  await others.publish(unallocatedReversed, [ofAnotherMode]);
  expect(await isDead(ofAnotherMode.intakeId)).toContain("of another mode");
  await receive(transfer);
  const tooMuch = aReversal(transfer, { amount: 10_001n });
  await others.publish(transferReversed, [tooMuch]);
  expect(await isDead(tooMuch.intakeId)).toContain("more than is left");
  expect(booked.all.some(({ intakeId }) => intakeId === early.intakeId)).toBe(false);
  expect(await faultsOf(ledger.owner)).toEqual([]);
});

const isRefusalOf = (parts: Taken[]) => (alarm: object) =>
  "intake_id" in alarm && parts.some(({ intakeId }) => intakeId === alarm.intake_id);

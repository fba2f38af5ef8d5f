import {
  lateIdOf,
  missingIdOf,
  Problem,
  reportMissedReversal,
  suspensePosted,
  unallocatedReversed,
  type WireInput,
} from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test, vi } from "vitest";
import { factsOf, rowOf, world } from "./intake-world.ts";
import {
  aLateLine,
  cameLate,
  held,
  neverCame,
  offered,
  rowOfMissing,
  useMissingCredits,
  whileHeld,
} from "./missing.ts";
import { AT, aCredit, aReversal, complete, quarantineOf, statusOf, untilPublished } from "./reversing.ts";
import { aReport } from "./world.ts";

/** What a bank reported and never had. */

await useMissingCredits();
const outOfSuspense = await recordFacts(world.others, unallocatedReversed);

const takenBack = (line: WireInput<typeof reportMissedReversal>) =>
  world.others.request(reportMissedReversal, line).then(
    ({ status }) => status,
    ({ errors }: Problem) => errors?.[0]?.code,
  );
const reversedOf = async ({ id }: { id: string }) => (await rowOf(id)).reversed;

test("a credit that never came is taken back as a whole with the bank's charges, once, however often and by how many that is said", async () => {
  const { merchant, transfer, intakeId } = await aCredit({ bank_fee: 25, bank_vat: 1.88, session_id: "0".repeat(30) });
  expect(await neverCame(intakeId, 100n)).toBe("amount_differs");
  expect(held.has(intakeId)).toBe(false);
  const acts = await Promise.all(Array.from({ length: 5 }, () => neverCame(intakeId, 250_073n, "17")));
  expect(acts.toSorted()).toEqual(["accepted", ...Array(4).fill("duplicate")]);
  const row = await rowOfMissing(intakeId);
  expect(row).toMatchObject({ credit_id: intakeId, reversed_before: 0n, merchant_id: merchant.id, refused: null });
  const fact = await untilPublished(row.reversal_id);
  expect(fact).toMatchObject({
    ...{ creditId: intakeId, amount: 250_073n, reversedBefore: 0n, fundedBy: "bank" },
    source: {
      ...{ bank: "729", bankTransferId: missingIdOf(intakeId), accountNumber: transfer.account_number },
      ...{ bankFee: 2_500n, bankVat: 188n },
    },
  });
  // A line with the session of the credit is not its.
  expect(fact.source).not.toHaveProperty("sessionId");
  expect(held.get(intakeId)).toEqual(["17"]);
  expect(await neverCame(intakeId)).toBe("duplicate");
  expect(await reversedOf(transfer)).toBe(250_073n);
});

test("what the bank takes back of it or reports once more afterwards neither takes nor credits anything", async () => {
  const { transfer, intakeId } = await aCredit({ amount: 1_000 });
  expect(await neverCame(intakeId, 100_000n)).toBe("accepted");
  for (const back of [aReversal(transfer), aReversal(transfer, { amount: 300 })]) {
    expect(await statusOf(back)).toBe("quarantined");
    expect(await quarantineOf(back)).toContain("more than is left");
  }
  expect(await statusOf(transfer)).toBe("duplicate");
  const line = { line: aLateLine(-100_000n), intake_id: intakeId, amount: "100000", reason: "it was taken back" };
  expect(await takenBack(line)).toBe("more_than_left");
  expect(await reversedOf(transfer)).toBe(100_000n);
});

test("what is no complete live transfer of which nothing was taken back is refused, and so is what statements does not prove", async () => {
  const { merchant, transfer, intakeId } = await aCredit();
  expect(await neverCame("int_unknown")).toBe("not_found");
  const early = aReport(transfer.account_number);
  await statusOf(early);
  const { intake_id } = await rowOf(early.id);
  expect(await neverCame(intake_id)).toBe("transfer_in_progress");
  const waiting = aReversal(early, { amount: 300 });
  expect(await statusOf(waiting)).toBe("accepted");
  await world.owner.query("update inbound_reversals set drive_at = 'infinity' where bank_transfer_id = $1", [
    waiting.id,
  ]);
  await complete(early, merchant);
  expect(await neverCame(intake_id)).toBe("reversal_waits");
  const { transfer: part, intakeId: partly } = await aCredit({ amount: 1_000 });
  expect(await statusOf(aReversal(part, { amount: 300 }))).toBe("accepted");
  expect(await neverCame(partly, 100_000n)).toBe("already_reversed");
  expect([held.has(intake_id), held.has(partly)]).toEqual([false, false]);
  let isMatched = true;
  whileHeld(async () => {
    if (isMatched) throw new Problem("conflict", "The transfer is matched with a line.");
  });
  expect(await neverCame(intakeId)).toBe("conflict");
  expect(await rowOfMissing(intakeId)).toBeUndefined();
  isMatched = false;
  expect(await neverCame(intakeId)).toBe("accepted");
});

test("one that the bank takes back while it is held, or that is held no longer, is not taken back by the act", async () => {
  const { transfer, intakeId } = await aCredit({ amount: 1_000 });
  const reported = aReversal(transfer, { amount: 300 });
  whileHeld(async () => void (await statusOf(reported)));
  expect(await neverCame(intakeId, 100_000n)).toBe("changed_meanwhile");
  expect([await rowOfMissing(intakeId), await reversedOf(transfer)]).toEqual([undefined, 30_000n]);
  const { transfer: slow, intakeId: late } = await aCredit();
  const now = vi.spyOn(Date, "now");
  try {
    const real = Date.now();
    whileHeld(async () => void now.mockReturnValue(real + 61_000));
    expect(await neverCame(late)).toBe("changed_meanwhile");
  } finally {
    now.mockRestore();
  }
  expect([await rowOfMissing(late), await reversedOf(slow)]).toEqual([undefined, 0n]);
  whileHeld(async () => {});
  expect(await neverCame(late)).toBe("accepted");
});

test("money in suspense is taken back out of it", async () => {
  const transfer = aReport("0123456782", { amount: 1_000 });
  expect(await statusOf(transfer)).toBe("unallocated");
  const { intake_id: intakeId } = await rowOf(transfer.id);
  await world.others.publish(suspensePosted, [
    { intakeId, mode: "live", amount: 100_000n, transactionId: "1", postedAt: AT },
  ]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  expect(await neverCame(intakeId, 100_000n)).toBe("accepted");
  const { reversal_id } = await rowOfMissing(intakeId);
  await until("published", () => outOfSuspense.all.some((fact) => fact.intakeId === reversal_id));
});

test("what comes after all is credited by its line, once, whichever lines are named and by how many", async () => {
  const session_id = "000023261122093000000000000003";
  const { merchant, transfer, intakeId } = await aCredit({ bank_fee: 25, bank_vat: 1.88, session_id });
  const line = aLateLine(247_385n, { session_id });
  expect(await cameLate(line, intakeId)).toBe("not_taken_back");
  expect(await neverCame(intakeId)).toBe("accepted");
  expect(await cameLate(aLateLine(250_073n), intakeId)).toBe("line_differs");
  expect(await cameLate(aLateLine(247_385n, { bank: "other" }), intakeId)).toBe("another_bank");
  expect(await cameLate(aLateLine(247_385n, { booked_on: "2026-01-01" }), intakeId)).toBe("line_is_earlier");
  const other = await aCredit({ session_id: "000023261122093000000000000004" });
  expect(await cameLate(aLateLine(247_385n, { session_id: "000023261122093000000000000004" }), intakeId)).toBe(
    "session_of_another",
  );
  expect(await cameLate(line, intakeId, 247_385n)).toBe("amount_differs");
  expect(await cameLate("1", intakeId)).toBe("not_found");
  expect(offered.size).toBe(0);
  const acts = await Promise.all(Array.from({ length: 5 }, () => cameLate(line, intakeId)));
  expect(acts.toSorted()).toEqual(["accepted", ...Array(4).fill("duplicate")]);
  expect(await cameLate(aLateLine(247_385n), intakeId)).toBe("conflict");
  const late = await rowOf(lateIdOf(intakeId));
  expect(late).toMatchObject({
    ...{ merchant_id: merchant.id, account_number: transfer.account_number, amount: 250_073n, reversed: 0n },
    ...{ bank_fee: 2_500n, bank_vat: 188n, session_id: null },
  });
  await until("it is on its way", () => factsOf(late.intake_id).length > 0);
  await complete({ id: lateIdOf(intakeId) }, merchant);
  const back = { line: aLateLine(-247_385n, { session_id }), amount: "250073", reason: "it was taken back" };
  expect(await takenBack({ ...back, intake_id: other.intakeId })).toBe("session_of_another");
  expect(await takenBack({ ...back, intake_id: late.intake_id })).toBe("accepted");
  expect(await rowOf(lateIdOf(intakeId))).toMatchObject({ reversed: 250_073n });
  // Its own report is still the first one.
  expect(await statusOf(transfer)).toBe("duplicate");
  expect(await statusOf(aReversal(transfer))).toBe("quarantined");
  expect(await reversedOf(other.transfer)).toBe(0n);
});

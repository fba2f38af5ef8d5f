import { Problem, reversalIdOf, suspensePosted, unallocatedReversed } from "@collect/contracts";
import { recordFacts, until } from "@collect/testing";
import { expect, test } from "vitest";
import { rowOf, world } from "./intake-world.ts";
import {
  aLine,
  claims,
  DAY,
  EVE,
  reverse,
  reversedOf,
  rowOfLine,
  useLineReversals,
  whileClaimed,
} from "./line-reversing.ts";
import { AT, aCredit, aReversal, complete, reversalOf, statusOf, untilPublished } from "./reversing.ts";
import { aReport } from "./world.ts";

/** What a bank took back and never reported. */

await useLineReversals();
const outOfSuspense = await recordFacts(world.others, unallocatedReversed);

test("a line takes a whole transfer back with the bank's charges, once, however often and by how many that is said", async () => {
  const { merchant, transfer, intakeId } = await aCredit({ bank_fee: 25, bank_vat: 1.88 });
  const line = aLine(-247_385n, { session_id: "0".repeat(30) });
  expect(await reverse(line, intakeId, 247_385n)).toBe("amount_differs");
  const acts = await Promise.all(Array.from({ length: 5 }, () => reverse(line, intakeId, 250_073n)));
  expect(acts.toSorted()).toEqual(["accepted", ...Array(4).fill("duplicate")]);
  const row = await rowOfLine(line);
  expect(row).toMatchObject({ credit_id: intakeId, reversed_before: 0n, merchant_id: merchant.id, refused: null });
  expect(await untilPublished(row.reversal_id)).toMatchObject({
    ...{ creditId: intakeId, amount: 250_073n, reversedBefore: 0n, fundedBy: "bank" },
    reversedAt: `${DAY}T22:59:59.999+00:00`,
    source: {
      ...{ bank: "729", bankTransferId: reversalIdOf(line), accountNumber: transfer.account_number },
      ...{ bankFee: 2_500n, bankVat: 188n, sessionId: "0".repeat(30) },
    },
  });
  expect(claims.get(line)).toEqual({ line, account_number: transfer.account_number, amount: 250_073n, reversals: [] });
  expect(await reverse(line, intakeId, 250_073n)).toBe("duplicate");
  expect(await reversedOf(transfer)).toBe(250_073n);
});

test("lines take parts of a transfer, at once or in turn, and never more than is left; the last one with the bank's charges", async () => {
  const { transfer, intakeId } = await aCredit({ amount: 1_000, bank_fee: 10 });
  const parts = Array.from({ length: 3 }, () => aLine(-40_000n));
  const acts = await Promise.all(parts.map((line) => reverse(line, intakeId, 40_000n)));
  expect(acts).toContain("accepted");
  for (const act of acts) expect(["accepted", "changed_meanwhile", "more_than_left"]).toContain(act);
  const again: string[] = [];
  for (const line of parts) again.push(await reverse(line, intakeId, 40_000n));
  expect(again.filter((act) => act === "more_than_left")).toHaveLength(1);
  expect(await reversedOf(transfer)).toBe(80_000n);
  const last = aLine(-19_000n);
  expect(await reverse(last, intakeId, 19_000n)).toBe("amount_differs");
  expect(await reverse(last, intakeId, 20_000n)).toBe("accepted");
  expect(await rowOfLine(last)).toMatchObject({ amount: 20_000n, bank_fee: 1_000n, reversed_before: 80_000n });
  expect(await reverse(aLine(-1n), intakeId, 1n)).toBe("more_than_left");
});

test("a line takes back of one transfer, also of two at once", async () => {
  const [one, other] = [await aCredit(), await aCredit()];
  const line = aLine(-250_073n);
  const acts = await Promise.all([
    reverse(line, one.intakeId, 250_073n),
    reverse(`0${line}`, other.intakeId, 250_073n),
  ]);
  expect(acts.toSorted()).toEqual(["accepted", "line_is_used"]);
  const [taken, kept] = acts[0] === "accepted" ? [one, other] : [other, one];
  expect(await reverse(line, kept.intakeId, 250_073n)).toBe("line_is_used");
  expect([await reversedOf(taken.transfer), await reversedOf(kept.transfer)]).toEqual([250_073n, 0n]);
  expect(await reverse(aLine(-250_073n), kept.intakeId, 250_073n)).toBe("accepted");
});

test("what is no line that takes back of a complete live transfer of its bank is refused, and claims no line", async () => {
  const { intakeId } = await aCredit();
  const line = aLine(-250_073n);
  expect(await reverse("1", intakeId, 250_073n)).toBe("not_found");
  expect(await reverse(line, "int_unknown", 250_073n)).toBe("not_found");
  expect(await reverse(aLine(250_073n), intakeId, 250_073n)).toBe("line_is_incoming");
  expect(await reverse(aLine(-250_073n, { bank: "other" }), intakeId, 250_073n)).toBe("another_bank");
  expect(await reverse(aLine(-250_073n, { booked_on: EVE }), intakeId, 250_073n)).toBe("line_is_earlier");
  const early = aReport((await aCredit()).transfer.account_number);
  await statusOf(early);
  const { intake_id } = await rowOf(early.id);
  expect(await reverse(line, intake_id, 250_073n)).toBe("transfer_in_progress");
  expect(claims.has(line)).toBe(false);
  let isMatched = true;
  whileClaimed(async () => {
    if (isMatched) throw new Problem("conflict", "The line is matched.");
  });
  expect(await reverse(line, intakeId, 250_073n)).toBe("conflict");
  expect(await rowOfLine(line)).toBeUndefined();
  isMatched = false;
  expect(await reverse(line, intakeId, 250_073n)).toBe("accepted");
});

test("a reversal that the bank reported before has its own line first; one that it reports meanwhile or that waits stops the act", async () => {
  const { transfer, intakeId } = await aCredit({ amount: 1_000 });
  const reported = aReversal(transfer, { amount: 300 });
  expect(await statusOf(reported)).toBe("accepted");
  const line = aLine(-30_000n);
  const second = aReversal(transfer, { amount: 300 });
  whileClaimed(async () => void (await statusOf(second)));
  expect(await reverse(line, intakeId, 30_000n)).toBe("changed_meanwhile");
  expect(claims.get(line)).toMatchObject({ reversals: [(await reversalOf(reported)).reversal_id] });
  expect([await rowOfLine(line), await reversedOf(transfer)]).toEqual([undefined, 60_000n]);
  expect(await reverse(line, intakeId, 30_000n)).toBe("accepted");
  const { merchant, transfer: late } = await aLateCredit();
  const waiting = aReversal(late, { amount: 300 });
  expect(await statusOf(waiting)).toBe("accepted");
  await world.owner.query("update inbound_reversals set drive_at = 'infinity' where bank_transfer_id = $1", [
    waiting.id,
  ]);
  await complete(late, merchant);
  const { intake_id } = await rowOf(late.id);
  expect(await reverse(aLine(-30_000n), intake_id, 30_000n)).toBe("reversal_waits");
});

/** Reported, and not at the end of its way. */
async function aLateCredit() {
  const { merchant, transfer } = await aCredit();
  const late = aReport(transfer.account_number, { amount: 1_000 });
  await statusOf(late);
  return { merchant, transfer: late };
}

test("a line that has the session of another transfer takes nothing back of this one; of a session that we do not know it may be any", async () => {
  const [session_id, unknown] = ["000023261122093000000000000001", "000023261122093000000000000002"];
  const [one, other] = [await aCredit({ session_id }), await aCredit()];
  const line = aLine(-250_073n, { session_id });
  expect(await reverse(line, other.intakeId, 250_073n)).toBe("session_of_another");
  expect(await reverse(line, one.intakeId, 250_073n)).toBe("accepted");
  expect(await reverse(aLine(-250_073n, { session_id: unknown }), other.intakeId, 250_073n)).toBe("accepted");
});

test("money in suspense is taken back out of it", async () => {
  const transfer = aReport("0123456781", { amount: 1_000 });
  expect(await statusOf(transfer)).toBe("unallocated");
  const { intake_id: intakeId } = await rowOf(transfer.id);
  await world.others.publish(suspensePosted, [
    { intakeId, mode: "live", amount: 100_000n, transactionId: "1", postedAt: AT },
  ]);
  await until("complete", async () => (await rowOf(transfer.id)).completed_at !== null);
  const line = aLine(-100_000n);
  expect(await reverse(line, intakeId, 100_000n)).toBe("accepted");
  const { reversal_id } = await rowOfLine(line);
  await until("published", () => outOfSuspense.all.some((fact) => fact.intakeId === reversal_id));
});

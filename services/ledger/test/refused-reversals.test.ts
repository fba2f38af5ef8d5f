import {
  deadLetterRequests,
  discardRefusedReversal,
  getReversalRefusal,
  listSuspenseReversals,
  startRecovery,
  transferReversed,
  transferUnallocated,
  unallocatedReversed,
} from "@collect/contracts";
import { aTransfer, randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { useLedger } from "./ledger.ts";
import { AT, aReversal, useReversing } from "./reversing.ts";

/** What the ledger says of a reversal that a person closes. Amounts in kobo. */

const ledger = await useLedger();
const { others } = ledger;
const { aCollection, balance, isDead, reverse } = await useReversing(ledger);

const refusalOf = (intake_id: string, from: "merchant" | "suspense" = "merchant") =>
  others.request(getReversalRefusal, { intake_id, from });
const discard = (intake_id: string) => others.request(discardRefusedReversal, { intake_id });
async function dead(): Promise<string[]> {
  const list = deadLetterRequests.ledger?.list;
  if (!list) throw new Error("the ledger lists its dead letters");
  const { dead_letters } = list.output.parse(await others.request(list, {})) as {
    dead_letters: { natural_key: string }[];
  };
  return dead_letters.map(({ natural_key }) => natural_key);
}

test("a dead letter that would be refused again is named, and deleted once; nothing is booked by it", async () => {
  const transfer = await aCollection();
  await reverse(aReversal(transfer, { amount: 60_000n }));
  const tooMuch = aReversal(transfer, { amount: 60_000n });
  await others.publish(transferReversed, [tooMuch]);
  await isDead(tooMuch.intakeId);
  const { ledger_sequence: before } = await balance(transfer.merchant);
  const refusal = `${tooMuch.intakeId} takes back more than is left of ${transfer.intakeId}`;
  expect(await refusalOf(tooMuch.intakeId)).toEqual({ refusal });
  const discarded = await Promise.all([discard(tooMuch.intakeId), discard(tooMuch.intakeId)]);
  expect(discarded.map((one) => one.discarded).toSorted()).toEqual([0, 1]);
  expect(await dead()).not.toContain(tooMuch.intakeId);
  expect(await refusalOf(tooMuch.intakeId)).toEqual({ refusal: null });
  expect(await balance(transfer.merchant)).toMatchObject({ ledger_sequence: before });
});

test("so is one of money in suspense", async () => {
  const { intakeId: creditId, amount, paidAt, receivedAt } = aTransfer({ amount: 100_000n });
  await others.publish(transferUnallocated, [{ intakeId: creditId, mode: "test", amount, paidAt, receivedAt }]);
  const taken = () => ({ intakeId: randomId("int"), creditId, mode: "test" as const, amount: 60_000n });
  const [first, second] = [taken(), taken()].map((one) => ({ ...one, reversedAt: AT, receivedAt: AT }));
  if (!first || !second) throw new Error("there are two");
  await until("it is booked", async () => {
    await others.publish(unallocatedReversed, [first]);
    return (await others.request(listSuspenseReversals, { credit_id: creditId })).intake_ids.length === 1;
  });
  await others.publish(unallocatedReversed, [second]);
  expect(await isDead(second.intakeId)).toContain("more than is left");
  expect((await refusalOf(second.intakeId, "suspense")).refusal).toContain("more than is left");
  // It is refused out of suspense alone: a merchant's would be another reversal.
  expect((await refusalOf(second.intakeId)).refusal).toBeNull();
  expect((await refusalOf(first.intakeId, "suspense")).refusal).toBeNull();
  expect(await discard(second.intakeId)).toEqual({ discarded: 1 });
});

test("a dead letter that would be booked by now, or is another fact's, is neither named nor deleted", async () => {
  const transfer = await aCollection();
  const reversal = aReversal(transfer, { amount: 1_000n });
  const insert = (consumer: string, key: string, fact: object) =>
    ledger.owner.query(
      "insert into dead_letters (consumer, natural_key, subject, fact, error) values ($1, $2, 'subject', $3, 'a bug')",
      [consumer, key, JSON.stringify(fact, (_, value) => (typeof value === "bigint" ? value.toString() : value))],
    );
  await insert("ledger-accounts_transfer_reversed_v1-test", reversal.intakeId, reversal);
  const collection = aTransfer();
  await insert("ledger-accounts_transfer_received_v1-test", collection.intakeId, collection);
  for (const { intakeId } of [reversal, collection]) {
    expect(await refusalOf(intakeId)).toEqual({ refusal: null });
    expect(await discard(intakeId)).toEqual({ discarded: 0 });
    expect(await dead()).toContain(intakeId);
  }
  expect(await refusalOf(randomId("int"))).toEqual({ refusal: null });
});

test("a ledger that recovers, and may lack what the reversal contradicts, says nothing", async () => {
  await others.request(startRecovery.ledger, { restored_to: new Date().toISOString() });
  const unavailable = { code: "service_unavailable" };
  await until("it is closed", () =>
    refusalOf("int_1").then(
      () => false,
      ({ code }) => code === unavailable.code,
    ),
  );
  await expect(discard("int_1")).rejects.toMatchObject(unavailable);
});

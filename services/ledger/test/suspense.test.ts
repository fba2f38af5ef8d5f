import {
  collectionPosted,
  getBalance,
  suspensePosted,
  transferReceived,
  transferUnallocated,
} from "@collect/contracts";
import { aTransfer, recordFacts } from "@collect/testing";
import { expect, test } from "vitest";
import { faultsOf, useLedger } from "./ledger.ts";

const ledger = await useLedger();

const balanceOf = async (account: string) => {
  const { rows } = await ledger.owner.query("select balance from ledger_accounts where id = $1", [account]);
  return rows[0]?.balance;
};

test("money without an owner is booked to suspense once, without a fee, and to its merchant once when allocated", async () => {
  const transfer = aTransfer({ amount: 1_000_000n, merchant: { id: "mer_late", mode: "live" }, fundedBy: "suspense" });
  const { intakeId, amount, paidAt, receivedAt } = transfer;
  const unallocated = { intakeId, mode: "live" as const, amount, paidAt, receivedAt };

  const held = await recordFacts(ledger.others, suspensePosted);
  await ledger.others.publish(transferUnallocated, [unallocated]);
  await held.count(1);
  await ledger.others.publish(transferUnallocated, [unallocated]);
  const [first, again] = await held.count(2);
  expect(again).toEqual(first);
  expect(first).toMatchObject({ intakeId, mode: "live", amount });
  expect(await balanceOf("live:bank:0")).toBe(1_000_000n);
  expect(await balanceOf("live:suspense:0")).toBe(-1_000_000n);
  expect(await balanceOf("live:fees:0")).toBeUndefined();

  const posted = await recordFacts(ledger.others, collectionPosted);
  await ledger.others.publish(transferReceived, [transfer]);
  await posted.count(1);
  await ledger.others.publish(transferReceived, [transfer]);
  const [allocated, repeated] = await posted.count(2);
  expect(repeated).toEqual(allocated);
  expect(allocated).toMatchObject({ intakeId, fee: 10_000n, net: 990_000n });
  expect(await balanceOf("live:bank:0")).toBe(1_000_000n);
  expect(await balanceOf("live:suspense:0")).toBe(0n);
  expect(await ledger.others.request(getBalance, { merchant: transfer.merchant })).toMatchObject({ collected: 9_900 });
  expect(await faultsOf(ledger.owner)).toEqual([]);
});

test("money in suspense is not credited to a merchant under the bank's own key", async () => {
  const transfer = aTransfer({ fundedBy: "bank" });
  const { intakeId, amount, paidAt, receivedAt } = transfer;
  const held = await recordFacts(ledger.others, suspensePosted);
  await ledger.others.publish(transferUnallocated, [{ intakeId, mode: "test", amount, paidAt, receivedAt }]);
  await held.count(1);
  const other = aTransfer({ merchant: transfer.merchant });
  const posted = await recordFacts(ledger.others, collectionPosted);
  await ledger.others.publish(transferReceived, [transfer, other]);
  expect(await posted.count(1)).toMatchObject([{ intakeId: other.intakeId }]);
  expect(await ledger.others.request(getBalance, { merchant: transfer.merchant })).toMatchObject({
    ledger_sequence: 1,
  });
});

import {
  completeTransfer,
  getLedgerProof,
  getOwnBalances,
  listAuditedReversals,
  type MerchantScope,
  reserveTransfer,
  transferReversed,
} from "@collect/contracts";
import { aMerchant, aTransfer, randomId, until } from "@collect/testing";
import { expect, test } from "vitest";
import { undecidedReversals } from "../src/store/reversals.ts";
import { balancesOf, faultsOf, useLedger } from "./ledger.ts";
import { aReversal, SOURCE, useReversing } from "./reversing.ts";

/** The ledger when a bank takes back what it reported. Amounts in kobo; the fee is 1 %. */

const ledger = await useLedger({ replicas: 2, auditing: { everyMs: 50 } });
const { others } = ledger;
const { aCollection, balance, isDead, postedOf, proofHolds, receive, reverse, settleAll } = await useReversing(ledger);

const aPayout = (merchant: MerchantScope, amount: string) => ({
  transfer_id: randomId("trf"),
  merchant,
  amount,
});

test("a collection that the bank takes back is undone, fee included, once, however often and wherever it is delivered", async () => {
  const transfer = await aCollection();
  const before = await others.request(getOwnBalances, {});
  const reversal = aReversal(transfer, { source: { ...SOURCE, bankFee: 50n } });
  await Promise.all(Array.from({ length: 8 }, () => others.publish(transferReversed, [reversal])));
  const [first] = await reverse(reversal);
  const answered = postedOf(reversal).length;
  await others.publish(transferReversed, [reversal]);
  await until("the repeat is answered", () => postedOf(reversal).length > answered);
  const facts = postedOf(reversal);
  expect(new Set(facts.map((fact) => JSON.stringify(fact, (_, value) => String(value)))).size).toBe(1);
  expect(first).toMatchObject({ amount: 100_000n, fee: 1_000n, net: 99_000n, creditId: transfer.intakeId });
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 0, settled: 0, ledger_sequence: 2 });
  expect(await balance(transfer.merchant)).not.toHaveProperty("owed");
  const after = await others.request(getOwnBalances, {});
  const [old, now] = [before, after].map(({ modes }) => modes.find(({ mode }) => mode === "test"));
  if (!old || !now) throw new Error("there are no books of test mode");
  const moved = (["bank", "bank_charges", "fees"] as const).map((kind) => Math.round((now[kind] - old[kind]) * 100));
  expect(moved).toEqual([-99_950, -50, -1_000]);
  expect(await faultsOf(ledger.owner)).toEqual([]);
  const audited = { reversal_id: reversal.intakeId, kind: "collection_reversal", merchant_id: transfer.merchant.id };
  const { reversals } = await others.request(listAuditedReversals.ledger, { after: "", up_to: reversal.intakeId });
  expect(reversals.at(-1)).toEqual({ ...audited, mode: "test", amount: "100000" });
  const rest = await others.request(listAuditedReversals.ledger, { after: reversal.intakeId, up_to: null });
  expect(rest.reversals.map(({ reversal_id }) => reversal_id)).not.toContain(reversal.intakeId);
});

test("what is settled already is taken from Settled, what is missing stands as owed, and what comes next pays for it", async () => {
  const transfer = await aCollection();
  const { merchant } = transfer;
  await settleAll(merchant);
  const payout = aPayout(merchant, "60000");
  expect(await others.request(reserveTransfer, payout)).toEqual({ reserved: true });
  await reverse(aReversal(transfer));
  // Not from the payout under way.
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 0, owed: 600 });
  expect(await balancesOf(ledger.owner, `test:payouts:${merchant.id}`)).toEqual([-60_000n]);
  expect(await others.request(reserveTransfer, aPayout(merchant, "1"))).toMatchObject({ refusal: "balance" });
  await aCollection(merchant, 50_000n);
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 0, owed: 105 });
  expect((await settleAll(merchant)).settlement).toBeNull();
  await aCollection(merchant, 20_000n);
  expect((await settleAll(merchant)).settlement).toMatchObject({ amount: 93 });
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 93 });
  await proofHolds();
});

test("what a failed or reversed payout returns covers what the merchant owes first, once, however often it is reported", async () => {
  const transfer = await aCollection();
  const { merchant } = transfer;
  await settleAll(merchant);
  const [failed, reversed] = [aPayout(merchant, "59000"), aPayout(merchant, "40000")];
  for (const payout of [failed, reversed]) await others.request(reserveTransfer, payout);
  await others.request(completeTransfer, { ...reversed, outcome: "success" });
  await reverse(aReversal(transfer));
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 0, owed: 990 });
  const report = (payout: typeof failed, outcome: "failed" | "reversed") =>
    Promise.all(Array.from({ length: 5 }, () => others.request(completeTransfer, { ...payout, outcome })));
  await Promise.all([report(failed, "failed"), aCollection(merchant, 10_000n)]);
  // 990 owed, of which 590 returned and 99 came.
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 0, owed: 301 });
  await report(reversed, "reversed");
  expect(await balance(merchant)).toMatchObject({ collected: 0, settled: 99 });
  expect(await balance(merchant)).not.toHaveProperty("owed");
  expect(await faultsOf(ledger.owner)).toEqual([]);
  await proofHolds();
});

test("parts give back parts of the fee, in any order, and together all of it; more than the collection is refused", async () => {
  const transfer = await aCollection(aMerchant(), 99_999n);
  const part = (before: bigint, amount: bigint) => aReversal(transfer, { reversedBefore: before, amount });
  const [first, second, third] = [part(0n, 33_333n), part(33_333n, 33_333n), part(66_666n, 33_333n)];
  const facts = await reverse(third, first);
  expect(facts.map(({ fee }) => fee)).toEqual([334n, 333n]);
  const tooMuch = part(33_333n, 33_334n);
  await others.publish(transferReversed, [tooMuch]);
  expect(await isDead(tooMuch.intakeId)).toContain("more than is left");
  expect(ledger.alarms).toContainEqual({ alarm: "reversal_refused", intake_id: tooMuch.intakeId });
  await reverse(second);
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 0, settled: 0 });
  // A recovery waits for what is neither booked nor refused since it began.
  const keyOf = ({ intakeId }: { intakeId: string }) => `${transfer.intakeId}:collection_reversal:${intakeId}`;
  const bookings = [second, tooMuch].map((each) => ({ intakeId: each.intakeId, key: keyOf(each) }));
  expect(await undecidedReversals(ledger.pool, bookings, { since: transfer.paidAt })).toEqual([]);
  const later = { since: "9999-01-01T00:00:00.000+00:00" };
  expect(await undecidedReversals(ledger.pool, bookings, later)).toEqual([tooMuch.intakeId]);
  await others.publish(transferReversed, [{ ...second, amount: 1n }]);
  expect(await isDead(second.intakeId)).toContain("already recorded");
  expect(ledger.alarms).toContainEqual({ alarm: "key_taken", key: keyOf(second), mode: "test" });
  const ofAnother = aReversal(transfer, { merchant: aMerchant() });
  await others.publish(transferReversed, [ofAnother]);
  expect(await isDead(ofAnother.intakeId)).toContain("another merchant");
});

test("a reversal before its collection books nothing, and is booked when it is driven again", async () => {
  const transfer = aTransfer({ amount: 100_000n });
  const [early, other] = [aReversal(transfer), aReversal(await aCollection())];
  await others.publish(transferReversed, [early]);
  await reverse(other);
  expect(postedOf(early)).toEqual([]);
  await receive(transfer);
  await reverse(early);
  expect(await balance(transfer.merchant)).toMatchObject({ collected: 0 });
});

test("reserves, settlements and reversals at once never pay out what the bank took back", async () => {
  for (let round = 0; round < 5; round++) {
    const merchant = aMerchant();
    const transfers = [await aCollection(merchant), await aCollection(merchant)];
    await settleAll(merchant);
    await aCollection(merchant, 10_000n);
    const results = await Promise.all([
      ...Array.from({ length: 6 }, () => others.request(reserveTransfer, aPayout(merchant, "30000"))),
      settleAll(merchant),
      reverse(...transfers.map((transfer) => aReversal(transfer))),
    ]);
    const reserved = results.filter((one) => "reserved" in one && one.reserved).length;
    const { collected, settled, owed = 0 } = await balance(merchant);
    // 1,980 settled, 99 more collected, 1,980 taken back, 300 a payout.
    expect(Math.round((collected + settled - owed) * 100)).toBe(9_900 - reserved * 30_000);
    expect(owed === 0 || settled === 0).toBe(true);
  }
  expect(await faultsOf(ledger.owner)).toEqual([]);
});

test("an account of Settled never goes below zero, and a reversal that was tampered with is found by the audit", async () => {
  const transfer = await aCollection();
  const reversal = aReversal(transfer, { amount: 60_000n });
  await reverse(reversal);
  const again = aReversal(transfer, { amount: 60_000n });
  const tamper = (statement: string) =>
    ledger.owner.query(
      `alter table transactions disable trigger user; ${statement}; alter table transactions enable trigger user`,
    );
  const key = `${transfer.intakeId}:collection_reversal:${reversal.intakeId}`;
  await tamper(`update transactions set key = '${transfer.intakeId}x:collection_reversal:x' where key = '${key}'`);
  await reverse(again);
  await tamper(`update transactions set key = '${key}' where key = '${transfer.intakeId}x:collection_reversal:x'`);
  await until("more than the credit is reported", async () => {
    const { differences } = await others.request(getLedgerProof, {});
    return differences.some(
      ({ what, where }) => what === "more than the credit was taken back" && where.includes(transfer.intakeId),
    );
  });
});

import { expect, test } from "vitest";
import { claimDueFollowUps, claimDueTransfers, followUpNow } from "../../src/outbound/store/transfer-steps.ts";
import { driveTransfer } from "../../src/outbound/use-cases/advance-transfer.ts";
import { followUp } from "../../src/outbound/workers/follow-up.ts";
import { startBank } from "./http-bank.ts";
import { useSteps } from "./steps-world.ts";
import { aFundedMerchant, rowsOf } from "./transfers-world.ts";

const { world, ledger, depsWith, aCreatedTransfer } = await useSteps();

test("two concurrent follow-ups find one reversal", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  await driveTransfer(deps, await aCreatedTransfer(merchant));
  for (const payout of bank.payouts.values()) payout.status = "reversed";
  const due = { mode: "live" as const, limit: 100, leaseMs: 0 };
  await world.owner.query("update transfers set next_at = now() where merchant_id = $1", [merchant.id]);
  await world.owner.query("update transfers set follow_up_at = now() where merchant_id = $1", [merchant.id]);
  const [booked] = (await claimDueFollowUps(world.pool, due)).filter(({ merchantId }) => merchantId === merchant.id);
  if (!booked) throw new Error("it is not due");
  await Promise.all([followUp(deps, booked, () => {}), followUp(deps, booked, () => {})]);
  const decided = await claimDueTransfers(world.pool, due);
  for (const transfer of decided) if (transfer.merchantId === merchant.id) await driveTransfer(deps, transfer);
  expect(ledger.held.get(booked.reference)).toMatchObject({ ends: ["success", "reversed"] });
  expect(ledger.settled(merchant)).toBe(100_000_000n);
  expect(await rowsOf(world, merchant)).toMatchObject([{ status: "reversed", step: "booked" }]);
});

test("a report that a payout came back is not forgotten by an enquiry that began before it, nor by the first that denies it", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  await driveTransfer(deps, await aCreatedTransfer(merchant));
  const row = async () => (await rowsOf(world, merchant))[0];
  const claim = async () => {
    const due = await claimDueFollowUps(world.pool, { mode: "live", limit: 100, leaseMs: 60_000 });
    const own = due.find(({ merchantId }) => merchantId === merchant.id);
    if (!own) throw new Error("it is not due");
    return own;
  };
  await world.owner.query("update transfers set follow_up_at = now() where merchant_id = $1", [merchant.id]);
  const before = await claim();
  const report = { reference: before.reference, partner: before.partner ?? "" };
  for (let time = 0; time < 2; time += 1) expect(await followUpNow(world.pool, report)).toBe(true);
  const reported = await row();
  await followUp(deps, before, () => {});
  expect(await row()).toEqual(reported);

  const review = await claim();
  await Promise.all([followUp(deps, review, () => {}), followUp(deps, review, () => {})]);
  expect(await row()).toMatchObject({ follow_ups: 0, review_since: reported?.review_since, status: "success" });
  expect((await row())?.follow_up_at).not.toBeNull();

  // Nor by one that says something else.
  await world.owner.query("update transfers set follow_up_at = now() where merchant_id = $1", [merchant.id]);
  for (const payout of bank.payouts.values()) payout.status = "pending";
  await followUp(deps, await claim(), () => {});
  expect(await row()).toMatchObject({ follow_ups: 0, review_since: reported?.review_since, status: "success" });
  for (const payout of bank.payouts.values()) payout.status = "success";

  // For about a day; then it is for a person, and is asked about on the usual days alone.
  const alarms: object[] = [];
  const log = { ...deps.log, error: (fields: object) => void alarms.push(fields) };
  await world.owner.query(
    "update transfers set follow_up_at = now(), review_since = now() - interval '25 hours' where merchant_id = $1",
    [merchant.id],
  );
  await followUp({ ...deps, log }, await claim(), () => {});
  expect(alarms).toMatchObject([{ alarm: "return_not_confirmed", transfer: before.reference }]);
  expect(await row()).toMatchObject({ follow_ups: 1, review_since: null, status: "success" });
});

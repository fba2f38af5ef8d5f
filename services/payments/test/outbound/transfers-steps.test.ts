import { expect, test } from "vitest";
import type { Transfer } from "../../src/outbound/domain/transfer.ts";
import { countInFlight } from "../../src/outbound/store/held-transfers.ts";
import { readTransfers } from "../../src/outbound/store/transfer-recovery.ts";
import { claimToRepeat } from "../../src/outbound/store/unanswered-payouts.ts";
import { advance, driveTransfer } from "../../src/outbound/use-cases/advance-transfer.ts";
import { startBank } from "./http-bank.ts";
import { useSteps } from "./steps-world.ts";
import { aFundedMerchant, countUnfinished, type Row, rowsOf } from "./transfers-world.ts";

const { world, ledger, depsWith, aCreatedTransfer } = await useSteps();

test("each step is one commit, and a worker with an outdated row changes nothing", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  const seen: Transfer[] = [];
  let next: Transfer | undefined = await aCreatedTransfer(merchant);
  while (next) {
    seen.push(next);
    next = await advance(deps, next);
  }
  // The bank's response is stored in the step that calls it.
  expect(seen.map(({ step }) => step)).toEqual(["created", "reserved", "decided", "booked"]);
  const [row] = await rowsOf(world, merchant);
  const reference = seen[0]?.reference ?? "";
  for (const late of [...seen, { ...seen[1], step: "sending" } as Transfer]) await advance(deps, late);
  const { next_at: _, attempts: __, ...same } = row as Row;
  expect(await rowsOf(world, merchant)).toMatchObject([same]);
  expect(bank.sent).toEqual([reference]);
  expect(ledger.held.get(reference)).toMatchObject({ ends: ["success"] });
  expect(ledger.settled(merchant)).toBe(99_749_927n);
});

test("ten workers with the same row call the bank once", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  const created = await aCreatedTransfer(merchant);
  const reserved = await advance(deps, created);
  if (!reserved) throw new Error("the money is not reserved");
  await Promise.all(Array.from({ length: 10 }, () => driveTransfer(deps, reserved)));
  expect(bank.sent).toEqual([created.reference]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ status: "success", step: "booked" }]);
});

test("a process that was suspended past its lease does not call the bank", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  const reserved = await advance(deps, await aCreatedTransfer(merchant));
  if (!reserved) throw new Error("the money is not reserved");
  await driveTransfer({ ...deps, times: { ...deps.times, leaseMs: -1 } }, reserved);
  expect(bank.sent).toEqual([]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
});

test("a process that was paused, and found nothing of it on its own clock, does not call the bank after another asked about it", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  const reserved = await advance(deps, await aCreatedTransfer(merchant));
  if (!reserved) throw new Error("the money is not reserved");
  const standings: typeof deps.standings = {
    async read(merchantId) {
      await world.owner.query("select pg_sleep(0.06)");
      for (const sending of await readTransfers(world.pool, [reserved.reference])) await driveTransfer(deps, sending);
      return deps.standings.read(merchantId);
    },
  };
  await driveTransfer({ ...deps, standings, times: { ...deps.times, leaseMs: 50 } }, reserved);
  expect(bank.payoutEnquiries).toEqual([reserved.reference]);
  expect(bank.sent).toEqual([]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
});

test("an order that is repeated while an enquiry about the first one runs counts as on its way to the bank", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const { leaseMs } = deps.times;
  const merchant = aFundedMerchant(ledger, "live");
  bank.onPay((_order, response) => void response.destroy());
  await driveTransfer(deps, await aCreatedTransfer(merchant));
  const { reference } = (await rowsOf(world, merchant))[0] as Row;
  const [sending] = await readTransfers(world.pool, [reference]);
  if (!sending) throw new Error("it was not sent");
  bank.onEnquiry(async (id, response) => {
    await claimToRepeat(world.pool, sending, { partner: "729", leaseMs, sinceMs: 0 });
    bank.answer(response, id);
  });
  await driveTransfer(deps, sending);
  expect(bank.payoutEnquiries).toEqual([reference]);
  expect(await countInFlight(world.pool, { merchantId: merchant.id, leaseMs })).toBe(1);
});

test("unfinished and unpublished transfers are counted by mode and step", async () => {
  const deps = depsWith(await startBank());
  const merchant = aFundedMerchant(ledger, "live");
  const before = await countUnfinished(world, "created");
  const transfers = [await aCreatedTransfer(merchant), await aCreatedTransfer(merchant)];
  expect(await countUnfinished(world, "created")).toEqual({
    count: before.count + 2,
    sum: before.sum + 500_146n,
  });
  for (const transfer of transfers) await driveTransfer(deps, transfer);
  expect(await countUnfinished(world, "created")).toEqual(before);
});

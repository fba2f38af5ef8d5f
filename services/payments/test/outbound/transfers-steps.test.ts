import { createTestBank } from "@collect/bank";
import { createStandings } from "@collect/bus";
import type { MerchantScope } from "@collect/contracts";
import { randomId } from "@collect/testing";
import { afterAll, expect, test } from "vitest";
import { createLedger } from "../../src/outbound/adapters/ledger.ts";
import { onlyPartner } from "../../src/outbound/domain/payout-partners.ts";
import type { Transfer } from "../../src/outbound/domain/transfer.ts";
import { TRANSFER_TIMES } from "../../src/outbound/domain/transfer-times.ts";
import { claimDueTransfers } from "../../src/outbound/store/transfer-steps.ts";
import { insertTransfer } from "../../src/outbound/store/transfers.ts";
import { advance, driveTransfer, type TransferDeps } from "../../src/outbound/use-cases/advance-transfer.ts";
import { followUp } from "../../src/outbound/workers/follow-up.ts";
import { startFakeLedger } from "./fake-ledger.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import { aFundedMerchant, countUnfinished, partnerAt, partnerOf, type Row, rowsOf } from "./transfers-world.ts";
import { usePaymentsWorld } from "./use-transfers.ts";

/** The worker's steps one by one, without the worker. */
const world = await usePaymentsWorld();
const ledger = await startFakeLedger(world);
afterAll(ledger.stop);

function depsWith(bank: HttpBank): TransferDeps {
  const { pool, bus, log } = world;
  const partners = {
    test: onlyPartner(partnerOf(createTestBank())),
    live: onlyPartner(partnerAt(bank.url)),
  };
  const standings = createStandings(bus);
  return {
    pool,
    bus,
    log,
    ledger: createLedger(bus),
    partners,
    standings,
    times: TRANSFER_TIMES,
    hasRecovered: () => false,
  };
}

/** A transfer whose request died right after its first commit. */
async function aCreatedTransfer(merchant: MerchantScope): Promise<Transfer> {
  const created = await insertTransfer(
    world.pool,
    {
      reference: randomId("trf"),
      merchantId: merchant.id,
      mode: merchant.mode,
      merchantReference: randomId("payout"),
      amount: 250_073n,
      bankCode: "011",
      bankName: "First Bank of Nigeria",
      accountNumber: "0000014579",
      accountName: "NGOZI EZE",
      nameWithheld: false,
      narration: null,
      metadata: {},
      orderedBy: null,
    },
    60_000,
  );
  if (!created) throw new Error("the reference is taken");
  return created;
}

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

test.each([
  ["has in progress", undefined, 0],
  ["may never have received", true, 1],
] as const)(
  "in a restored database, a payout that the bank %s is ordered as it has to be",
  async (_case, isUncertain, times) => {
    const bank = await startBank();
    const { partners, ...deps } = depsWith(bank);
    const { standard } = partners.live;
    const state = {
      status: "pending",
      failureCode: null,
      failureReason: null,
      ...(isUncertain && { isUncertain }),
    } as const;
    const live = onlyPartner({ ...standard, payouts: { ...standard.payouts, enquire: async () => state } });
    const recovered = { ...deps, partners: { ...partners, live }, hasRecovered: () => true };
    const created = await aCreatedTransfer(aFundedMerchant(ledger, "live"));
    const reserved = await advance(recovered, created);
    if (!reserved) throw new Error("the money is not reserved");
    await advance(recovered, reserved);
    expect(bank.sent).toHaveLength(times);
  },
);

const UNCERTAIN = { status: "pending", failureCode: null, failureReason: null, isUncertain: true } as const;

test("in a restored database, a payout goes to the partner that may have it, whichever pays out by now", async () => {
  const [former, bank] = [await startBank(), await startBank()];
  const { partners, ...deps } = depsWith(bank);
  const { standard } = partners.live;
  const mayHaveIt = { ...partnerAt(former.url), id: "former" };
  const unsure = { ...mayHaveIt, payouts: { ...mayHaveIt.payouts, enquire: async () => UNCERTAIN } };
  const live = { all: [standard, unsure], standard };
  const recovered = { ...deps, partners: { ...partners, live }, hasRecovered: () => true };
  const merchant = aFundedMerchant(ledger, "live");
  await driveTransfer(recovered, await aCreatedTransfer(merchant));
  expect([former.sent.length, bank.sent.length]).toEqual([1, 0]);
  expect(await rowsOf(world, merchant)).toMatchObject([{ partner: "former", status: "success" }]);
});

test("in a restored database, a refusal of an order is not the end of one that may have been sent before", async () => {
  const bank = await startBank();
  const { partners, ...deps } = depsWith(bank);
  bank.onPay((order, response) => {
    bank.accept(order, "failed");
    bank.answer(response, order.id);
    bank.payouts.delete(order.id);
  });
  for (const [hasRecovered, step] of [
    [false, "booked"],
    [true, "sending"],
  ] as const) {
    const merchant = aFundedMerchant(ledger, "live");
    await driveTransfer({ ...deps, partners, hasRecovered: () => hasRecovered }, await aCreatedTransfer(merchant));
    expect(await rowsOf(world, merchant)).toMatchObject([{ step }]);
  }
  expect(bank.sent).toHaveLength(2);
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

test("two concurrent follow-ups find one reversal", async () => {
  const bank = await startBank();
  const deps = depsWith(bank);
  const merchant = aFundedMerchant(ledger, "live");
  await driveTransfer(deps, await aCreatedTransfer(merchant));
  for (const payout of bank.payouts.values()) payout.status = "reversed";
  const due = { mode: "live" as const, limit: 100, leaseMs: 0 };
  await world.owner.query("update transfers set next_at = now() where merchant_id = $1", [merchant.id]);
  const [booked] = (await claimDueTransfers(world.pool, due)).filter(({ merchantId }) => merchantId === merchant.id);
  if (!booked) throw new Error("it is not due");
  await Promise.all([followUp(deps, booked, () => {}), followUp(deps, booked, () => {})]);
  const decided = await claimDueTransfers(world.pool, due);
  for (const transfer of decided) if (transfer.merchantId === merchant.id) await driveTransfer(deps, transfer);
  expect(ledger.held.get(booked.reference)).toMatchObject({ ends: ["success", "reversed"] });
  expect(ledger.settled(merchant)).toBe(100_000_000n);
  expect(await rowsOf(world, merchant)).toMatchObject([{ status: "reversed", step: "booked" }]);
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

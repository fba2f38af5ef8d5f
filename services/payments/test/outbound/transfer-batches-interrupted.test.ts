import { startPayouts, stopPayouts } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { claimDueBatches, haltBatches } from "../../src/outbound/store/batch-steps.ts";
import { ADA, aFile, BOLA, batchesOf, liveAccount, liveFile } from "./batches-world.ts";
import { NO_LIMITS } from "./fake-ledger.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import { aFundedMerchant, anOrder, partnerAt, type Replica, rowsOf, send, startPayments } from "./transfers-world.ts";
import { useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
let bank: HttpBank;
let replica: Replica;

beforeEach(async () => {
  ledger.limits = NO_LIMITS;
  bank = await startBank();
  replica = await startPayments(world, { partner: partnerAt(bank.url, 5_000) });
  onTestFinished(() => replica.stop());
});

function aLiveMerchant() {
  const merchant = aFundedMerchant(ledger, "live");
  return { merchant, ...batchesOf(world, merchant) };
}

/** The bank names the holders of these accounts only; `all` ends that. */
function nameOnly(names: (account: string) => boolean) {
  let isOver = false;
  bank.onNameEnquiry((response, account) => {
    if (!isOver && !names(account.account_number)) return response.writeHead(503).end();
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...account, account_name: "NGOZI EZE" }));
  });
  return {
    all: () => {
      isOver = true;
    },
  };
}

const setDue = (reference: string, at: string) =>
  world.owner.query(`update transfer_batches set next_at = ${at} where reference = $1`, [reference]);

/** Nobody works on a file while its row is changed. */
async function whileStopped(change: () => Promise<unknown>): Promise<void> {
  await replica.stop();
  await change();
  replica = await startPayments(world, { partner: partnerAt(bank.url, 5_000) });
}

/** Confirmed, and not ordered: the bank does not say who the holders are. */
async function stuck(lines: number) {
  const shop = aLiveMerchant();
  const batch = await shop.checked(liveFile(lines));
  const names = nameOnly(() => false);
  const asked = bank.nameEnquiries.length;
  await shop.confirm(batch);
  await until("the bank was asked", () => bank.nameEnquiries.length > asked);
  return { ...shop, batch, names };
}

test("one bank's outage delays the check of its lines, holds up no others, and decides nothing", async () => {
  const { upload, show, untilState } = aLiveMerchant();
  const { all } = nameOnly((account) => account >= liveAccount(20_010));
  const { batch } = await upload(liveFile(20));
  await until("the others are checked", async () => (await show(batch.reference)).checked === 10);
  expect(await show(batch.reference)).toMatchObject({ state: "checking", faulty: 0 });
  all();
  expect(await untilState(batch.reference, "checked")).toMatchObject({ checked: 20, faulty: 0 });
});

test("one bank's outage holds up the order of no line to another bank", async () => {
  const { merchant, checked, confirm, show, untilState } = aLiveMerchant();
  const batch = await checked(liveFile(20));
  const { all } = nameOnly((account) => account >= liveAccount(20_010));
  await confirm(batch);
  await until("the others are ordered", async () => (await show(batch.reference)).ordered === 10);
  expect(await show(batch.reference)).toMatchObject({ state: "sending", refused: 0 });
  all();
  await untilState(batch.reference, "sent");
  expect(await rowsOf(world, merchant)).toHaveLength(20);
});

test("a process that is stopped waits for the lines at hand and not for the file", async () => {
  const { upload, untilState } = aLiveMerchant();
  const release = Promise.withResolvers<void>();
  const { all } = nameOnly(() => true);
  bank.onNameEnquiry(
    (response, account) =>
      void release.promise.then(() =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ ...account, account_name: "NGOZI EZE" })),
      ),
  );
  const { batch } = await upload(liveFile(100));
  await until("the bank is asked", () => bank.nameEnquiries.length > 0);
  const stopped = replica.stop();
  release.resolve();
  await stopped;
  expect(bank.nameEnquiries.length).toBeLessThanOrEqual(16);
  all();
  replica = await startPayments(world, { partner: partnerAt(bank.url, 5_000) });
  await setDue(batch.reference, "now()");
  expect(await untilState(batch.reference, "checked")).toMatchObject({ checked: 100, faulty: 0 });
});

test("files that are sent come before files that are checked", async () => {
  await replica.stop();
  const merchant = aFundedMerchant(ledger, "live");
  await world.owner.query(
    `insert into transfer_batches (reference, merchant_id, mode, name, state, lines, total, next_at, confirmed_at, confirmed_on, needs_approval)
     values ('bat_checking', $1, 'live', 'a.csv', 'checking', 1, 1, now() - interval '1 minute', null, null, null),
       ('bat_sending', $1, 'live', 'b.csv', 'sending', 1, 1, now(), now(), now(), false)`,
    [merchant.id],
  );
  onTestFinished(
    async () => void (await world.owner.query("delete from transfer_batches where merchant_id = $1", [merchant.id])),
  );
  const claim = { mode: "live" as const, limit: 1, leaseMs: 60_000 };
  expect(await claimDueBatches(world.pool, claim)).toMatchObject([{ reference: "bat_sending" }]);
  expect(await claimDueBatches(world.pool, claim)).toMatchObject([{ reference: "bat_checking" }]);
  replica = await startPayments(world);
});

test("while the operator has stopped payouts the lines wait, and none is refused", async () => {
  const { merchant, batch, names, show, untilState } = await stuck(3);
  await world.others.request(stopPayouts, { reason: "The bank asked for it" });
  names.all();
  const attempts = async () =>
    (await world.owner.query("select min(attempts) as n from transfer_batch_lines where batch = $1", [batch.reference]))
      .rows[0].n;
  const before = await attempts();
  await until("the lines were tried", async () => (await attempts()) > before + 1);
  expect(await show(batch.reference)).toMatchObject({ state: "sending", ordered: 0, refused: 0 });
  await world.others.request(startPayouts, { reason: "It is over" });
  expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 3, refused: 0 });
  expect(await rowsOf(world, merchant)).toHaveLength(3);
});

test("a line that a single order paid since the confirmation is refused, and the others are ordered", async () => {
  const { merchant, batch, names, untilState, lines } = await stuck(3);
  await whileStopped(() => setDue(batch.reference, "now() + interval '10 minutes'"));
  names.all();
  await send(world, merchant, anOrder({ amount: 1_000, bank_code: "011", account_number: liveAccount(20_001) }));
  await setDue(batch.reference, "now()");
  expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 2, refused: 1 });
  expect((await lines(batch.reference, "refused")).map(({ line }) => line)).toEqual([3]);
  expect(await rowsOf(world, merchant)).toHaveLength(3);
});

describe("a file that was left for more than an hour", () => {
  test("does not go on by itself: its open lines are refused, and a person confirms them again", async () => {
    const { merchant, batch, names, untilState, lines, reopen, confirm } = await stuck(3);
    await whileStopped(() => setDue(batch.reference, "now() - interval '61 minutes'"));
    names.all();
    expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 0, refused: 3 });
    expect(await rowsOf(world, merchant)).toEqual([]);
    expect((await lines(batch.reference))[0]?.refusal).toContain("interrupted");
    await reopen(batch.reference);
    await confirm(batch);
    expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 3, refused: 0 });
  });

  test("orders nothing even in a process that slept meanwhile", async () => {
    const { merchant, checked, confirm, untilState, lines } = aLiveMerchant();
    const batch = await checked(liveFile(1));
    const release = Promise.withResolvers<void>();
    let answered = 0;
    bank.onNameEnquiry(
      (response, account) =>
        void release.promise.then(() => {
          response
            .writeHead(200, { "content-type": "application/json" })
            .end(JSON.stringify({ ...account, account_name: "NGOZI EZE" }));
          answered++;
        }),
    );
    const asked = bank.nameEnquiries.length;
    await confirm(batch);
    await until("the process is about to order the line", () => bank.nameEnquiries.length > asked);
    await setDue(batch.reference, "now() - interval '61 minutes'");
    await untilState(batch.reference, "sent");
    release.resolve();
    await until("the process has woken", () => answered > 0);
    await replica.stop();
    replica = await startPayments(world, { partner: partnerAt(bank.url, 5_000) });
    expect(await rowsOf(world, merchant)).toEqual([]);
    expect(await lines(batch.reference)).toMatchObject([{ outcome: "refused", transfer: null }]);
  });

  test("waits for the ledger's answer about a line that is a transfer already, and is as that says", async () => {
    const { merchant, checked, confirm, show, untilState } = aLiveMerchant();
    const batch = await checked(liveFile(3, { from: 50_000 }));
    const names = nameOnly((account) => account !== liveAccount(50_002));
    ledger.isDown = true;
    await confirm(batch);
    await until("two lines are transfers", async () => (await rowsOf(world, merchant)).length === 2);
    await whileStopped(() => setDue(batch.reference, "now() - interval '61 minutes'"));
    names.all();
    await until("the line that is none is refused", async () => (await show(batch.reference)).refused > 0);
    expect(await show(batch.reference)).toMatchObject({ state: "sending", ordered: 0, refused: 1 });
    ledger.fund(merchant, -99_900_000n);
    ledger.isDown = false;
    await world.owner.query("update transfers set next_at = now() where merchant_id = $1", [merchant.id]);
    expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 1, refused: 2 });
    expect((await rowsOf(world, merchant)).filter(({ step }) => step !== "refused")).toHaveLength(1);
  });

  test("after a restore stops at once: what was ordered is found, what waits for an approval has lapsed", async () => {
    const { merchant, batch, names, show, untilState, checked, confirm } = await stuck(3);
    ledger.limits = { ...NO_LIMITS, approval_above: 500 };
    await whileStopped(() => setDue(batch.reference, "now() + interval '10 minutes'"));
    names.all();
    const waiting = await checked(liveFile(1, { from: 30_000 }));
    await confirm(waiting);
    // Ordered before the restore, which forgot that the line was.
    const [, second] = await batchesOf(world, merchant).lines(batch.reference);
    const account = { bank_code: "011", account_number: second?.account_number ?? "" };
    await send(world, merchant, anOrder({ amount: 1_000, ...account, reference: second?.reference ?? "" }));
    await haltBatches(world.pool);
    expect(await untilState(batch.reference, "sent")).toMatchObject({ ordered: 1, refused: 2 });
    await untilState(waiting.reference, "checked");
    expect(await show(waiting.reference)).toMatchObject({ confirmed_by: null });
    expect(await rowsOf(world, merchant)).toHaveLength(1);
  });
});

test("a file that was deleted and is uploaded again is shown as ordered, and pays nothing", async () => {
  const merchant = aFundedMerchant(ledger);
  const { checked, confirm, untilState } = batchesOf(world, merchant);
  const batch = await checked(aFile(3), ADA);
  await confirm(batch);
  await untilState(batch.reference, "sent");
  await world.owner.query("delete from transfer_batches where reference = $1", [batch.reference]);
  expect(await checked(aFile(3), BOLA)).toMatchObject({ reference: batch.reference, ordered: 3, faulty: 0 });
  await confirm({ ...batch, lines: 0, total: 0 }, BOLA);
  await untilState(batch.reference, "sent");
  expect(await rowsOf(world, merchant)).toHaveLength(3);
  expect(ledger.settled(merchant)).toBe(100_000_000n - 300_000n);
});

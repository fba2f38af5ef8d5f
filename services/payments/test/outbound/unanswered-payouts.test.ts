import { endPayout, listUnansweredPayouts, repeatPayout, stopPayouts } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { HttpBank } from "./http-bank.ts";
import { startProcess } from "./payments-process.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  refusalOf,
  rowsOf,
  send,
  show,
  startPayments,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger, webhooks } = await useNeighbors();
const { merchants, others, owner } = world;
const UNCERTAIN = { status: "pending", failureCode: null, failureReason: null, isUncertain: true } as const;

let bank: HttpBank;
beforeEach(async () => {
  merchants.isDown = false;
  await owner.query("update payout_switch set stopped = false");
  bank = await startOwnBank(world);
});

/** At a bank that refuses an id a second time, and cannot say that it never received one. */
async function start({ isCertain = false } = {}) {
  const partner = partnerAt(bank.url);
  const { enquire } = partner.payouts;
  const payouts = { ...partner.payouts, enquire: async (payout: never) => (await enquire(payout)) ?? UNCERTAIN };
  const { stop } = await startPayments(world, {
    partner: isCertain ? partner : { ...partner, payouts },
    transferTimes: { followUpsMs: [0, 0] },
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = () => (stopped ??= stop());
  onTestFinished(stopOnce);
  return stopOnce;
}

type Unanswered = Awaited<ReturnType<typeof anUnanswered>>;
/** A payout that the bank got or did not get, and never answered. */
async function anUnanswered() {
  const merchant = aFundedMerchant(ledger, "live");
  bank.onPay((_order, response) => void response.destroy());
  const order = anOrder(LIVE_ACCOUNT);
  const { transfer } = await send(world, merchant, order);
  const { reference } = transfer;
  await until("it is asked about", () => bank.payoutEnquiries.includes(reference));
  await makeOld(reference);
  return { merchant, reference, payout: { id: reference, ...LIVE_ACCOUNT, amount: 2500.73 } };
}
const makeOld = (reference: string) =>
  owner.query("update transfers set sent_at = now() - interval '601 seconds' where reference = $1", [reference]);
const makeDue = (reference: string) =>
  owner.query("update transfers set next_at = now() where reference = $1", [reference]);

const aboutIt = ({ merchant, reference }: Pick<Unanswered, "merchant" | "reference">) => ({
  merchant_id: merchant.id,
  reference,
});
const reason = "The bank's mail of today";
const endAs = (payout: Pick<Unanswered, "merchant" | "reference">, bank_reference: string | null) =>
  others.request(endPayout, { ...aboutIt(payout), bank_reference, reason });
const repeat = (payout: Pick<Unanswered, "merchant" | "reference">) =>
  others.request(repeatPayout, { ...aboutIt(payout), reason });

async function expectEnd({ merchant, reference }: Unanswered, end: "success" | "failed") {
  await untilStatus(world, merchant, reference, end);
  await untilStep(world, merchant, "told");
  expect(ledger.held.get(reference)).toMatchObject({ ends: [end] });
  expect(ledger.settled(merchant)).toBe(end === "success" ? 99_749_927n : 100_000_000n);
  expect([...new Set(webhooks.about(reference).map(({ status }) => status))]).toEqual([end]);
}

describe("an operator", () => {
  test("finds each payout that the bank has not answered for long, and no other", async () => {
    await start();
    const old = await anUnanswered();
    const recent = await anUnanswered();
    await owner.query("update transfers set sent_at = now() where reference = $1", [recent.reference]);
    const { payouts } = await others.request(listUnansweredPayouts, {});
    expect(payouts.filter(({ reference }) => [old, recent].some((one) => one.reference === reference))).toMatchObject([
      { ...aboutIt(old), partner: "729", ...LIVE_ACCOUNT, amount: "250073" },
    ]);
  });

  test("ends a payout that the bank did not execute, and its money returns once, however often that is said", async () => {
    await start();
    const payout = await anUnanswered();
    const expected = { reference: payout.reference, status: "failed" };
    expect(await Promise.all([endAs(payout, null), endAs(payout, null)])).toEqual([expected, expected]);
    await expectEnd(payout, "failed");
    expect(await endAs(payout, null)).toEqual(expected);
    await expectEnd(payout, "failed");
    expect(await show(world, payout.merchant, payout.reference)).toMatchObject({ failure_code: "not_executed" });
    expect(await refusalOf(endAs(payout, "FT26327"))).toBe("conflict");
    expect(bank.sent).toEqual([payout.reference]);
  });

  test("ends a payout as paid, and a bank that goes on not to know it is no contradiction", async () => {
    await start();
    const payout = await anUnanswered();
    await endAs(payout, "FT26327");
    await expectEnd(payout, "success");
    await until("it was followed up", async () => (await rowsOf(world, payout.merchant))[0]?.follow_ups === 2);
    expect(ledger.held.get(payout.reference)).toMatchObject({ suspense: [] });
    expect((await rowsOf(world, payout.merchant))[0]?.resolution).toMatchObject({ bank_reference: "FT26327", reason });
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
  });

  test("does not decide what the bank answers at that moment", async () => {
    await start();
    const payout = await anUnanswered();
    await owner.query("update transfers set next_at = null where reference = $1", [payout.reference]);
    bank.payouts.set(payout.reference, { ...payout.payout, status: "success" });
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
    expect(await refusalOf(repeat(payout))).toBe("conflict");
    await makeDue(payout.reference);
    await expectEnd(payout, "success");
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
  });

  test("decides once, whoever says what at the same moment, and whatever the bank answers", async () => {
    await start();
    for (let round = 0; round < 5; round++) {
      const payout = await anUnanswered();
      const acts = [null, "FT1", null, "FT2"].map((bank_reference) => endAs(payout, bank_reference));
      bank.payouts.set(payout.reference, { ...payout.payout, status: "success" });
      await Promise.allSettled(acts);
      const [row] = await untilStep(world, payout.merchant, "told");
      await expectEnd(payout, row?.status === "failed" ? "failed" : "success");
    }
  });

  test("ends nothing that is not there, not theirs, test money, or may be at the bank this moment", async () => {
    await start();
    const payout = await anUnanswered();
    const other = aFundedMerchant(ledger, "live");
    const test = aFundedMerchant(ledger, "test");
    const { transfer } = await send(world, test, anOrder());
    for (const act of [(one: typeof payout) => endAs(one, null), repeat]) {
      expect(await refusalOf(act({ ...payout, merchant: other }))).toBe("not_found");
      expect(await refusalOf(act({ ...payout, reference: "trf_none" }))).toBe("not_found");
      expect(await refusalOf(act({ ...payout, merchant: test, reference: transfer.reference }))).toBe("not_found");
    }
    await owner.query("update transfers set sent_at = now() where reference = $1", [payout.reference]);
    for (const act of [() => endAs(payout, null), () => endAs(payout, "FT1"), () => repeat(payout)])
      expect(await refusalOf(act())).toBe("conflict");
    expect(bank.sent).toEqual([payout.reference]);
    expect(await refusalOf(others.request(endPayout, { ...aboutIt(payout), bank_reference: " ", reason }))).toBe(
      "validation_failed",
    );
  });
});

describe("a bank that contradicts the operator later", () => {
  test.each([
    ["returned", null, "failed", "success", 100_000_000n],
    ["paid", "FT1", "success", "failed", 99_749_927n],
  ] as const)(
    "changes nothing of money that was %s: the ledger books suspense",
    async (_case, said, end, later, left) => {
      await start();
      const payout = await anUnanswered();
      await endAs(payout, said);
      await untilStatus(world, payout.merchant, payout.reference, end);
      bank.payouts.set(payout.reference, { ...payout.payout, status: later });
      await owner.query("update transfers set follow_up_at = now() where reference = $1", [payout.reference]);
      await until("it is contradicted", () => ledger.held.get(payout.reference)?.suspense.length === 1);
      await expectEnd(payout, end);
      expect(ledger.held.get(payout.reference)).toMatchObject({ ends: [end], suspense: [later] });
      expect(ledger.settled(payout.merchant)).toBe(left);
    },
  );

  test("lets an operator return the money that was said to be paid, once, and not before the bank says that it failed", async () => {
    await start();
    const payout = await anUnanswered();
    await endAs(payout, "FT1");
    await expectEnd(payout, "success");
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
    bank.payouts.set(payout.reference, { ...payout.payout, status: "failed" });
    expect(await refusalOf(endAs(payout, "FT2"))).toBe("conflict");
    await Promise.allSettled([endAs(payout, null), endAs(payout, null)]);
    await untilStatus(world, payout.merchant, payout.reference, "reversed");
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
    await untilStep(world, payout.merchant, "told");
    expect(ledger.held.get(payout.reference)).toMatchObject({ ends: ["success", "reversed"] });
    expect(ledger.settled(payout.merchant)).toBe(100_000_000n);
  });
});

test("a process that dies once the act is committed has ended the payout, and a restored database ends it the same way", async () => {
  const stop = await start();
  const payout = await anUnanswered();
  await stop();
  bank.onEnquiry((_id, response) => void response.writeHead(503).end());
  const dying = await startProcess(world, bank.url, "resolved");
  void endAs(payout, null).catch(() => {});
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  expect(await rowsOf(world, payout.merchant)).toMatchObject([{ step: "decided", verdict: "failed" }]);
  await makeDue(payout.reference);
  await startProcess(world, bank.url);
  await expectEnd(payout, "failed");

  await owner.query(
    `update transfers set step = 'sending', status = 'pending', verdict = null, resolution = null, told = '{}', failure_code = null,
     completed_at = null, next_at = null, follow_up_at = null where reference = $1`,
    [payout.reference],
  );
  await endAs(payout, null);
  await expectEnd(payout, "failed");
  expect(ledger.held.get(payout.reference)).toMatchObject({ ends: ["failed"], suspense: [] });
});

describe("a payout is ordered again", () => {
  test("under its id, once for all who ask for it at that moment", async () => {
    await start();
    const payout = await anUnanswered();
    bank.onPay((order, response) => {
      bank.accept(order, "success");
      bank.answer(response, order.id);
    });
    const acts = await Promise.allSettled([repeat(payout), repeat(payout), repeat(payout)]);
    expect(acts.filter(({ status }) => status === "fulfilled")).toMatchObject([{ value: { status: "success" } }]);
    await expectEnd(payout, "success");
    expect(bank.sent).toEqual([payout.reference, payout.reference]);
  });

  test("and is pending if that gets no answer either, so that it can be ended only when it is overdue again", async () => {
    await start();
    const payout = await anUnanswered();
    expect(await repeat(payout)).toEqual({ reference: payout.reference, status: "pending" });
    expect(bank.sent).toEqual([payout.reference, payout.reference]);
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
    await makeOld(payout.reference);
    await endAs(payout, null);
    await expectEnd(payout, "failed");
  });

  test("and a refusal of that order ends nothing: the first one may be executed", async () => {
    await start();
    const payout = await anUnanswered();
    bank.onPay((order, response) => {
      bank.accept(order, "failed");
      bank.answer(response, order.id);
      bank.payouts.delete(order.id);
    });
    expect(await repeat(payout)).toMatchObject({ status: "pending" });
    const asked = bank.payoutEnquiries.length;
    await until("it is asked about again", () => bank.payoutEnquiries.length > asked + 1);
    expect(await rowsOf(world, payout.merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
    bank.payouts.set(payout.reference, { ...payout.payout, status: "success" });
    await expectEnd(payout, "success");
  });

  test("only from a bank that has to be asked twice: not where it is in progress, or certainly not known", async () => {
    const stop = await start();
    const payout = await anUnanswered();
    bank.payouts.set(payout.reference, { ...payout.payout, status: "pending" });
    expect(await refusalOf(repeat(payout))).toBe("conflict");
    bank.payouts.delete(payout.reference);
    await stop();
    await owner.query("update transfers set next_at = null where reference = $1", [payout.reference]);
    await start({ isCertain: true });
    expect(await refusalOf(repeat(payout))).toBe("conflict");
    expect(bank.sent).toEqual([payout.reference]);
  });

  test("not while payouts are stopped, nor for a suspended merchant", async () => {
    await start();
    const payout = await anUnanswered();
    await others.request(stopPayouts, { reason });
    expect(await refusalOf(repeat(payout))).toBe("payouts_stopped");
    await owner.query("update payout_switch set stopped = false");
    merchants.stand(payout.merchant.id, "suspended");
    expect(await refusalOf(repeat(payout))).toBe("merchant_suspended");
    expect(bank.sent).toEqual([payout.reference]);
  });
});

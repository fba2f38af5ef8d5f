import { endPayout, listUnansweredPayouts } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { startProcess } from "./payments-process.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  refusalOf,
  rowsOf,
  send,
  show,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { reason, useUnanswered } from "./unanswered-world.ts";

const { world, ledger, start, anUnanswered, aboutIt, listed, endAs, repeat, expectEnd, bank } = await useUnanswered();
const { others, owner } = world;
const makeDue = (reference: string) =>
  owner.query("update transfers set next_at = now() where reference = $1", [reference]);

describe("an operator", () => {
  test("finds each payout that the bank has not answered for long, and no other", async () => {
    await start();
    const old = await anUnanswered();
    const recent = await anUnanswered();
    await owner.query("update transfers set sent_at = now() where reference = $1", [recent.reference]);
    const { payouts } = await others.request(listUnansweredPayouts, {});
    const about = (reference: string) => others.request(listUnansweredPayouts, { reference });
    expect((await about(old.reference)).payouts.map(({ reference }) => reference)).toEqual([old.reference]);
    expect((await about(recent.reference)).payouts).toEqual([]);
    expect(payouts.filter(({ reference }) => [old, recent].some((one) => one.reference === reference))).toMatchObject([
      { ...aboutIt(old), partner: "729", ...LIVE_ACCOUNT, amount: "250073" },
    ]);
  });

  test("sees since when the bank has not known a payout, and of what it said about a former order nothing", async () => {
    await start();
    const payout = await anUnanswered();
    const unknownSince = async () =>
      (await others.request(listUnansweredPayouts, { reference: payout.reference })).payouts[0]?.unknown_since;
    const set = (columns: string) =>
      owner.query(`update transfers set next_at = null, ${columns} where reference = $1`, [payout.reference]);
    await set("unknown_since = null");
    expect(await unknownSince()).toBeNull();
    await set("unknown_since = sent_at - interval '1 millisecond'");
    expect(await unknownSince()).toBeNull();
    await set("unknown_since = '2026-11-20T09:00:00Z', sent_at = '2026-11-20T09:00:00Z'");
    expect(await unknownSince()).toBe("2026-11-20T09:00:00.000+00:00");
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
    expect(bank().sent).toEqual([payout.reference]);
  });

  test("alone ends a payout that the bank has failed without a definite reason: it is asked about, and not failed, for ever", async () => {
    await start();
    const payout = await anUnanswered();
    const asked = () => bank().payoutEnquiries.filter((id) => id === payout.reference).length;
    const before = asked();
    await makeDue(payout.reference);
    await until("it is asked about again", () => asked() >= before + 2);
    expect(await rowsOf(world, payout.merchant)).toMatchObject([{ status: "pending", step: "sending" }]);
    expect(await endAs(payout, null)).toMatchObject({ status: "failed" });
    await expectEnd(payout, "failed");
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
    bank().payouts.set(payout.reference, { ...payout.payout, status: "success" });
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
    expect(await refusalOf(repeat(payout))).toBe("conflict");
    await makeDue(payout.reference);
    await expectEnd(payout, "success");
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
  });

  test("decides once, whatever two operators say and the bank answers at the same moment", async () => {
    await start();
    for (let round = 0; round < 5; round++) {
      const payout = await anUnanswered();
      const acts = [null, "FT1", null, "FT2"].map((bank_reference) => endAs(payout, bank_reference));
      bank().payouts.set(payout.reference, { ...payout.payout, status: "success" });
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
    expect(bank().sent).toEqual([payout.reference]);
    expect(await refusalOf(others.request(endPayout, { ...(await listed(payout)), bank_reference: " ", reason }))).toBe(
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
      bank().payouts.set(payout.reference, { ...payout.payout, status: later });
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
    bank().payouts.set(payout.reference, { ...payout.payout, status: "failed" });
    expect(await refusalOf(endAs(payout, "FT2"))).toBe("conflict");
    await Promise.allSettled([endAs(payout, null), endAs(payout, null)]);
    await untilStatus(world, payout.merchant, payout.reference, "reversed");
    expect(await endAs(payout, null)).toEqual({ reference: payout.reference, status: "reversed" });
    await untilStep(world, payout.merchant, "told");
    expect(ledger.held.get(payout.reference)).toMatchObject({ ends: ["success", "reversed"] });
    expect(ledger.settled(payout.merchant)).toBe(100_000_000n);
  });
});

test("a process that dies once the act is committed has ended the payout, and a restored database ends it the same way", async () => {
  const stop = await start();
  const payout = await anUnanswered();
  await stop();
  bank().onEnquiry((_id, response) => void response.writeHead(503).end());
  const dying = await startProcess(world, bank().url, "resolved");
  void endAs(payout, null).catch(() => {});
  expect(await dying.exited).toEqual([null, "SIGKILL"]);
  expect(await rowsOf(world, payout.merchant)).toMatchObject([{ step: "decided", verdict: "failed" }]);
  await makeDue(payout.reference);
  await startProcess(world, bank().url);
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

test("a restored database that learns another end than the one that the ledger booked takes over that one", async () => {
  await start();
  for (const [first, said] of [
    ["failed", "success"],
    ["success", "failed"],
  ] as const) {
    const payout = await anUnanswered();
    ledger.held.get(payout.reference)?.ends.push(first);
    if (first === "failed") ledger.fund(payout.merchant, 250_073n);
    bank().payouts.set(payout.reference, { ...payout.payout, status: said });
    await expectEnd(payout, first);
    expect(ledger.held.get(payout.reference)).toMatchObject({ ends: [first], suspense: [said] });
    expect(await show(world, payout.merchant, payout.reference)).toMatchObject({ failure_code: null });
  }
});

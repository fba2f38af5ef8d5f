import { endPayout, listUnansweredPayouts, repeatPayout, stopPayouts } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { refusalOf, rowsOf } from "./transfers-world.ts";
import { reason, useUnanswered } from "./unanswered-world.ts";

const { world, ledger, start, anUnanswered, makeOld, listed, endAs, repeat, expectEnd, bank } = await useUnanswered();
const { merchants, others, owner } = world;

const detailOf = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error) => `${error.code}: ${error.detail}`,
  );

describe("a payout is ordered again", () => {
  test("under its id, once for all who ask for it at that moment", async () => {
    await start();
    const payout = await anUnanswered();
    bank().onPay((order, response) => {
      bank().accept(order, "success");
      bank().answer(response, order.id);
    });
    const acts = await Promise.allSettled([repeat(payout), repeat(payout), repeat(payout)]);
    expect(acts.filter(({ status }) => status === "fulfilled")).toMatchObject([{ value: { status: "success" } }]);
    await expectEnd(payout, "success");
    expect(bank().sent).toEqual([payout.reference, payout.reference]);
  });

  test("and is pending if that gets no answer either, so that it can be ended only when it is overdue again", async () => {
    await start();
    const payout = await anUnanswered();
    expect(await repeat(payout)).toEqual({ reference: payout.reference, status: "pending" });
    expect(bank().sent).toEqual([payout.reference, payout.reference]);
    expect(await refusalOf(endAs(payout, null))).toBe("conflict");
    await makeOld(payout.reference);
    await endAs(payout, null);
    await expectEnd(payout, "failed");
  });

  test("and a refusal of that order ends nothing: the first one may be executed", async () => {
    await start();
    const payout = await anUnanswered();
    bank().onPay((order, response) => {
      bank().accept(order, "failed");
      bank().answer(response, order.id);
      bank().payouts.delete(order.id);
    });
    expect(await repeat(payout)).toMatchObject({ status: "pending" });
    // Nor does it say that the bank does not have it, which counts after ten minutes.
    const { rows } = await world.owner.query("select unknown_since from transfers where reference = $1", [
      payout.reference,
    ]);
    expect(rows).toEqual([{ unknown_since: null }]);
    const asked = bank().payoutEnquiries.length;
    await until("it is asked about again", () => bank().payoutEnquiries.length > asked + 1);
    expect(await rowsOf(world, payout.merchant)).toMatchObject([{ step: "sending", status: "pending" }]);
    bank().payouts.set(payout.reference, { ...payout.payout, status: "success" });
    await expectEnd(payout, "success");
  });

  test("only from a bank that has to be asked twice: not where it is in progress, or certainly not known", async () => {
    const stop = await start();
    const payout = await anUnanswered();
    bank().payouts.set(payout.reference, { ...payout.payout, status: "pending" });
    expect(await refusalOf(repeat(payout))).toBe("conflict");
    expect(await detailOf(endAs(payout, null))).toContain("The bank has this transfer");
    bank().payouts.delete(payout.reference);
    await stop();
    await owner.query("update transfers set next_at = null where reference = $1", [payout.reference]);
    await start({ isCertain: true });
    expect(await refusalOf(repeat(payout))).toBe("conflict");
    expect(bank().sent).toEqual([payout.reference]);
  });

  test("not while payouts are stopped, nor for a suspended merchant", async () => {
    await start();
    const payout = await anUnanswered();
    await others.request(stopPayouts, { reason });
    expect(await refusalOf(repeat(payout))).toBe("payouts_stopped");
    await owner.query("update payout_switch set stopped = false");
    merchants.stand(payout.merchant.id, "suspended");
    expect(await refusalOf(repeat(payout))).toBe("merchant_suspended");
    expect(bank().sent).toEqual([payout.reference]);
    // A refusal does not begin the time anew after which it can be ended.
    await endAs(payout, null);
    await expectEnd(payout, "failed");
  });

  test("not if the ledger has ended it, which a restored database may have lost: it can only end as that", async () => {
    await start();
    for (const [first, other, said] of [
      ["failed", "FT1", null],
      ["success", null, "FT1"],
    ] as const) {
      const payout = await anUnanswered();
      ledger.held.get(payout.reference)?.ends.push(first);
      if (first === "failed") ledger.fund(payout.merchant, 250_073n);
      expect(await detailOf(repeat(payout))).toContain(`has booked this transfer as ${first}`);
      expect(await detailOf(endAs(payout, other))).toContain(`has booked this transfer as ${first}`);
      await endAs(payout, said);
      await expectEnd(payout, first);
      expect(bank().sent.filter((id) => id === payout.reference)).toHaveLength(1);
      expect(ledger.held.get(payout.reference)).toMatchObject({ suspense: [] });
    }
  });

  test("not without the approval that it needs, whether this database or the ledger says so", async () => {
    await start();
    const payout = await anUnanswered();
    const held = ledger.held.get(payout.reference);
    await owner.query("update transfers set approval = 'lost' where reference = $1", [payout.reference]);
    expect((await others.request(listUnansweredPayouts, { reference: payout.reference })).payouts).toMatchObject([
      { approval: "lost" },
    ]);
    expect(await detailOf(repeat(payout))).toContain("was never approved");
    // Restored from the ledger alone.
    await owner.query("update transfers set approval = null where reference = $1", [payout.reference]);
    if (held) held.response = { reserved: true, approval_required: true };
    expect(await detailOf(repeat(payout))).toContain("was never approved");
    expect(bank().sent).toEqual([payout.reference]);
    await owner.query("update transfers set approval = 'approved' where reference = $1", [payout.reference]);
    await repeat(payout);
    expect(bank().sent).toEqual([payout.reference, payout.reference]);
  });

  test("and what was proposed about the first order decides nothing about the second", async () => {
    await start();
    const payout = await anUnanswered();
    const proposed = { ...(await listed(payout)), reason };
    await repeat(payout);
    await makeOld(payout.reference);
    for (const sent_at of [proposed.sent_at, null]) {
      const act = { ...proposed, sent_at };
      expect(await refusalOf(others.request(endPayout, { ...act, bank_reference: null }))).toBe("conflict");
      expect(await refusalOf(others.request(endPayout, { ...act, bank_reference: "FT1" }))).toBe("conflict");
      expect(await refusalOf(others.request(repeatPayout, act))).toBe("conflict");
    }
    expect(bank().sent).toEqual([payout.reference, payout.reference]);
    expect(ledger.held.get(payout.reference)).toMatchObject({ ends: [] });
    await endAs(payout, null);
    await expectEnd(payout, "failed");
  });
});

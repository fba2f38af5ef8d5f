import { stopPayouts } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, test } from "vitest";
import { refusalOf, rowsOf } from "./transfers-world.ts";
import { reason, useUnanswered } from "./unanswered-world.ts";

const { world, start, anUnanswered, makeOld, endAs, repeat, expectEnd, bank } = await useUnanswered();
const { merchants, others, owner } = world;

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
  });
});

import { reviewPayout } from "@collect/contracts";
import { until } from "@collect/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { useLiveTransfers } from "./live-world.ts";
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
} from "./transfers-world.ts";

const { world, ledger, start, aTransfer, expectEnds, bank } = await useLiveTransfers();

test("a live payout ends when the ledger has it counted, so that both have it on one day, and a test one by the merchant's clock", async () => {
  await start();
  ledger.countedAt = "2026-11-20T22:59:59.900+00:00";
  onTestFinished(() => {
    ledger.countedAt = undefined;
  });
  const ended = async (mode: "live" | "test", account = {}) => {
    const merchant = aFundedMerchant(ledger, mode);
    const { transfer } = await send(world, merchant, anOrder(account));
    await untilStatus(world, merchant, transfer.reference, "success");
    const [row] = await rowsOf(world, merchant);
    return row?.completed_at;
  };
  expect(await ended("live", LIVE_ACCOUNT)).toBe(ledger.countedAt);
  expect(await ended("test")).not.toBe(ledger.countedAt);
});

describe("a bank that", () => {
  test("responds at once is called once", async () => {
    await start();
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("pays and never responds is queried, not called again", async () => {
    await start();
    bank().onPay((order) => bank().accept(order, "success"));
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("responds late is not called again", async () => {
    await start();
    bank().onPay((order, response) => {
      // The bank accepts the order only after several enquiries.
      bank().onEnquiry((id, enquiry) => {
        if (bank().payoutEnquiries.length === 3) bank().accept(order, "success");
        bank().answer(enquiry, id);
        if (bank().payoutEnquiries.length === 3) bank().answer(response, id);
      });
    });
    await expectEnds(await aTransfer(), ["success"]);
    expect(bank().payoutEnquiries.length).toBeGreaterThanOrEqual(3);
  });

  test("responds with an invalid body decides nothing", async () => {
    await start();
    bank().onPay((order, response) => {
      bank().accept(order, "failed");
      response.end("<html>success");
    });
    bank().onEnquiry((id, response) => {
      if (bank().payoutEnquiries.length < 3) return void response.end('{"status":"success"}');
      bank().answer(response, id);
    });
    await expectEnds(await aTransfer(), ["failed"]);
  });

  test("resets the connection is queried", async () => {
    await start();
    bank().onPay((order, response) => {
      bank().accept(order, "success");
      response.socket?.resetAndDestroy();
    });
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("has the payout pending is queried until it is final", async () => {
    await start();
    bank().onPay((order, response) => {
      bank().accept(order, "pending");
      bank().answer(response, order.id);
    });
    const transfer = await aTransfer();
    await until("three enquiries", () => bank().payoutEnquiries.length >= 3);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ status: "pending" });
    const payout = bank().payouts.get(transfer.reference);
    if (payout) payout.status = "failed";
    await expectEnds(transfer, ["failed"]);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ failure_code: "blocked" });
  });

  test("rejects enquiries for a while is queried again", async () => {
    await start();
    bank().onPay((order) => bank().accept(order, "success"));
    bank().onEnquiry((id, response) => {
      if (bank().payoutEnquiries.length > 3) return bank().answer(response, id);
      response.writeHead(503).end();
    });
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("cannot resolve the account makes the order fail, and nothing is written", async () => {
    const { stop } = await startPayments(world, { partner: partnerAt("http://127.0.0.1:1") });
    onTestFinished(stop);
    const merchant = aFundedMerchant(ledger, "live");
    expect(await refusalOf(send(world, merchant, anOrder(LIVE_ACCOUNT)))).toBe("provider_error");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });
});

describe("a reversal", () => {
  test("is found by a follow-up enquiry after the success", async () => {
    await start({ followUpsMs: [0, 50, 100] });
    bank().onEnquiry((id, response) => {
      const payout = bank().payouts.get(id);
      if (payout && bank().payoutEnquiries.length === 3) payout.status = "reversed";
      bank().answer(response, id);
    });
    await expectEnds(await aTransfer(), ["success", "reversed"]);
  });

  test("reported before the success was booked is booked and published after it", async () => {
    await start();
    bank().onPay((order) => bank().accept(order, "reversed"));
    await expectEnds(await aTransfer(), ["success", "reversed"]);
  });

  test("is found after the last follow-up if the partner says that the payout came back, and in no other case", async () => {
    await start({ followUpsMs: [0] });
    const { merchant, reference } = await aTransfer();
    await until("the last follow-up", async () => (await rowsOf(world, merchant))[0]?.follow_ups === 1);
    const review = async (given: object = {}) =>
      (await world.others.request(reviewPayout, { partner: "729", reference, ...given })).is_due;
    expect(await review({ partner: "monnify" })).toBe(false);
    expect(await review({ reference: "trf_0000000000000000000000" })).toBe(false);
    expect((await rowsOf(world, merchant))[0]?.follow_up_at).toBeNull();
    // What the report says is asked for, and again while the answer lags behind it: a payout that stands is not touched.
    const before = bank().payoutEnquiries.length;
    expect([await review(), await review()]).toEqual([true, true]);
    await until("it was asked about", () => bank().payoutEnquiries.length > before + 3);
    expect(await rowsOf(world, merchant)).toMatchObject([{ status: "success", follow_ups: 1 }]);
    const payout = bank().payouts.get(reference);
    if (payout) payout.status = "reversed";
    await expectEnds({ merchant, reference }, ["success", "reversed"]);
    expect(await review()).toBe(false);
  });

  test("is not looked for after the last follow-up, and failed follow-ups are retried", async () => {
    await start({ followUpsMs: [0, 0] });
    bank().onEnquiry((id, response) => {
      if (bank().payoutEnquiries.length > 3) return bank().answer(response, id);
      response.writeHead(503).end();
    });
    const { merchant } = await aTransfer();
    await until("the bank was queried for the last time", async () => {
      const [row] = await rowsOf(world, merchant);
      return row?.step === "told" && row.follow_up_at === null;
    });
    expect(await rowsOf(world, merchant)).toMatchObject([{ follow_ups: 2, status: "success" }]);
    expect(bank().payoutEnquiries).toHaveLength(5);
  });
});

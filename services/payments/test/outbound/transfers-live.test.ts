import { until } from "@collect/testing";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { TransferTimes } from "../../src/outbound/domain/transfer-times.ts";
import type { HttpBank } from "./http-bank.ts";
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
let bank: HttpBank;
beforeEach(async () => {
  bank = await startOwnBank(world);
});

async function start(transferTimes: Partial<TransferTimes> = {}): Promise<void> {
  const { stop } = await startPayments(world, { partner: partnerAt(bank.url), transferTimes });
  onTestFinished(stop);
}

/** A transfer of a funded merchant, just created. */
async function aTransfer() {
  const merchant = aFundedMerchant(ledger, "live");
  const { transfer } = await send(world, merchant, anOrder(LIVE_ACCOUNT));
  return { merchant, reference: transfer.reference };
}

/** The bank was called once, and the ledger, the transfer and the merchant's events agree on the outcome. */
async function expectEnds(
  { merchant, reference }: Awaited<ReturnType<typeof aTransfer>>,
  ends: ("success" | "failed" | "reversed")[],
) {
  const last = ends.at(-1) ?? "";
  await untilStatus(world, merchant, reference, last);
  await untilStep(world, merchant, "told");
  expect(bank.sent.filter((id) => id === reference)).toHaveLength(1);
  expect(ledger.held.get(reference)).toMatchObject({ ends, suspense: [] });
  expect(ledger.settled(merchant)).toBe(last === "success" ? 99_749_927n : 100_000_000n);
  expect([...new Set(webhooks.about(reference).map(({ status }) => status))]).toEqual(ends);
}

describe("a bank that", () => {
  test("responds at once is called once", async () => {
    await start();
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("pays and never responds is queried, not called again", async () => {
    await start();
    bank.onPay((order) => bank.accept(order, "success"));
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("responds late is not called again", async () => {
    await start();
    bank.onPay((order, response) => {
      // The bank accepts the order only after several enquiries.
      bank.onEnquiry((id, enquiry) => {
        if (bank.payoutEnquiries.length === 3) bank.accept(order, "success");
        bank.answer(enquiry, id);
        if (bank.payoutEnquiries.length === 3) bank.answer(response, id);
      });
    });
    await expectEnds(await aTransfer(), ["success"]);
    expect(bank.payoutEnquiries.length).toBeGreaterThanOrEqual(3);
  });

  test("responds with an invalid body decides nothing", async () => {
    await start();
    bank.onPay((order, response) => {
      bank.accept(order, "failed");
      response.end("<html>success");
    });
    bank.onEnquiry((id, response) => {
      if (bank.payoutEnquiries.length < 3) return void response.end('{"status":"success"}');
      bank.answer(response, id);
    });
    await expectEnds(await aTransfer(), ["failed"]);
  });

  test("resets the connection is queried", async () => {
    await start();
    bank.onPay((order, response) => {
      bank.accept(order, "success");
      response.socket?.resetAndDestroy();
    });
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("has the payout pending is queried until it is final", async () => {
    await start();
    bank.onPay((order, response) => {
      bank.accept(order, "pending");
      bank.answer(response, order.id);
    });
    const transfer = await aTransfer();
    await until("three enquiries", () => bank.payoutEnquiries.length >= 3);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ status: "pending" });
    const payout = bank.payouts.get(transfer.reference);
    if (payout) payout.status = "failed";
    await expectEnds(transfer, ["failed"]);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ failure_code: "blocked" });
  });

  test("rejects enquiries for a while is queried again", async () => {
    await start();
    bank.onPay((order) => bank.accept(order, "success"));
    bank.onEnquiry((id, response) => {
      if (bank.payoutEnquiries.length > 3) return bank.answer(response, id);
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

describe("a transfer that the bank does not know", () => {
  test("stays pending, and is not sent again, until the time limit after it was sent", async () => {
    await start();
    bank.onPay(() => {});
    const transfer = await aTransfer();
    await until("three enquiries", () => bank.payoutEnquiries.length >= 3);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ status: "pending" });
    await world.owner.query("update transfers set sent_at = now() - interval '601 seconds' where reference = $1", [
      transfer.reference,
    ]);
    await expectEnds(transfer, ["failed"]);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ failure_code: "not_received" });
  });

  test("and that is paid after all is booked to suspense; the transfer keeps its recorded status", async () => {
    await start({ unknownAfterMs: 0, followUpsMs: [0, 0] });
    bank.onPay((order) => {
      bank.onEnquiry((id, response) => {
        // Known only at the follow-up enquiry after the end.
        if (bank.payoutEnquiries.length === 2) bank.accept(order, "success");
        bank.answer(response, id);
      });
    });
    const { merchant, reference } = await aTransfer();
    await until("the ledger has it in suspense", () => ledger.held.get(reference)?.suspense.length === 1);
    await untilStep(world, merchant, "told");
    expect(ledger.held.get(reference)).toMatchObject({ ends: ["failed"], suspense: ["success"] });
    expect(await show(world, merchant, reference)).toMatchObject({ status: "failed", failure_code: "not_received" });
    expect(new Set(webhooks.about(reference).map(({ status }) => status))).toEqual(new Set(["failed"]));
    expect(bank.sent).toEqual([reference]);
  });
});

describe("a reversal", () => {
  test("is found by a follow-up enquiry after the success", async () => {
    await start({ followUpsMs: [0, 50, 100] });
    bank.onEnquiry((id, response) => {
      const payout = bank.payouts.get(id);
      if (payout && bank.payoutEnquiries.length === 3) payout.status = "reversed";
      bank.answer(response, id);
    });
    await expectEnds(await aTransfer(), ["success", "reversed"]);
  });

  test("reported before the success was booked is booked and published after it", async () => {
    await start();
    bank.onPay((order) => bank.accept(order, "reversed"));
    await expectEnds(await aTransfer(), ["success", "reversed"]);
  });

  test("is not looked for after the last follow-up, and failed follow-ups are retried", async () => {
    await start({ followUpsMs: [0, 0] });
    bank.onEnquiry((id, response) => {
      if (bank.payoutEnquiries.length > 3) return bank.answer(response, id);
      response.writeHead(503).end();
    });
    const { merchant } = await aTransfer();
    await until("the bank was queried for the last time", async () => {
      const [row] = await rowsOf(world, merchant);
      return row?.step === "told" && row.follow_up_at === null;
    });
    expect(await rowsOf(world, merchant)).toMatchObject([{ follow_ups: 2, status: "success" }]);
    expect(bank.payoutEnquiries).toHaveLength(5);
  });
});

import { until, type World } from "@collect/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { TransferTimes } from "../../src/outbound/domain/transfer-times.ts";
import { type HttpBank, startBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  openPayments,
  type PlayedLedger,
  type PlayedWebhooks,
  partnerAt,
  playLedger,
  playWebhooks,
  refusalOf,
  rowsOf,
  send,
  show,
  startPayments,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";

let world: World;
let ledger: PlayedLedger;
let webhooks: PlayedWebhooks;
let bank: HttpBank;

beforeAll(async () => {
  world = await openPayments();
  [ledger, webhooks] = await Promise.all([playLedger(world), playWebhooks(world)]);
});

afterAll(async () => {
  await ledger?.stop();
  await world?.close();
});

beforeEach(async () => {
  bank = await startBank();
  ledger.isDown = false;
  webhooks.isDown = false;
  // Each test has a bank and replicas of its own: what another left behind is none of their business.
  await world.owner.query("update transfers set next_at = null, follow_up_at = null");
});

async function start(transferTimes: Partial<TransferTimes> = {}): Promise<void> {
  const { stop } = await startPayments(world, { partner: partnerAt(bank.url), transferTimes });
  onTestFinished(stop);
}

/** A transfer of a funded merchant, just accepted. */
async function aTransfer() {
  const merchant = aFundedMerchant(ledger, "live");
  const { transfer } = await send(world, merchant, anOrder(LIVE_ACCOUNT));
  return { merchant, reference: transfer.reference };
}

/** The bank was called once, and ledger, record and merchant's events agree on how it ended. */
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
  test("answers at once is called once", async () => {
    await start();
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("pays and never answers is asked, not called again", async () => {
    await start();
    bank.onPay((order) => bank.accept(order, "success"));
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("answers late is not called again either", async () => {
    await start();
    bank.onPay((order, response) => {
      // The order arrives in the bank's books only after several enquiries.
      bank.onEnquiry((id, enquiry) => {
        if (bank.asked.length === 3) bank.accept(order, "success");
        bank.answer(enquiry, id);
        if (bank.asked.length === 3) bank.answer(response, id);
      });
    });
    await expectEnds(await aTransfer(), ["success"]);
    expect(bank.asked.length).toBeGreaterThanOrEqual(3);
  });

  test("answers nonsense is believed neither way", async () => {
    await start();
    bank.onPay((order, response) => {
      bank.accept(order, "failed");
      response.end("<html>success");
    });
    bank.onEnquiry((id, response) => {
      if (bank.asked.length < 3) return void response.end('{"status":"success"}');
      bank.answer(response, id);
    });
    await expectEnds(await aTransfer(), ["failed"]);
  });

  test("resets the connection is asked", async () => {
    await start();
    bank.onPay((order, response) => {
      bank.accept(order, "success");
      response.socket?.resetAndDestroy();
    });
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("has the payout pending is asked until it is settled", async () => {
    await start();
    bank.onPay((order, response) => {
      bank.accept(order, "pending");
      bank.answer(response, order.id);
    });
    const transfer = await aTransfer();
    await until("asked three times", () => bank.asked.length >= 3);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ status: "pending" });
    const payout = bank.payouts.get(transfer.reference);
    if (payout) payout.status = "failed";
    await expectEnds(transfer, ["failed"]);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ failure_code: "blocked" });
  });

  test("refuses to answer enquiries for a while is asked again", async () => {
    await start();
    bank.onPay((order) => bank.accept(order, "success"));
    bank.onEnquiry((id, response) => {
      if (bank.asked.length > 3) return bank.answer(response, id);
      response.writeHead(503).end();
    });
    await expectEnds(await aTransfer(), ["success"]);
  });

  test("cannot name the account in time: the order is refused safely, and nothing is written", async () => {
    const { stop } = await startPayments(world, { partner: partnerAt("http://127.0.0.1:1") });
    onTestFinished(stop);
    const merchant = aFundedMerchant(ledger, "live");
    expect(await refusalOf(send(world, merchant, anOrder(LIVE_ACCOUNT)))).toBe("provider_error");
    expect(await rowsOf(world, merchant)).toEqual([]);
  });
});

describe("a transfer that the bank has never heard of", () => {
  test("stays pending, and is not sent again, until long enough after it was sent", async () => {
    await start();
    bank.onPay(() => {});
    const transfer = await aTransfer();
    await until("asked three times", () => bank.asked.length >= 3);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ status: "pending" });
    await world.owner.query("update transfers set sent_at = now() - interval '601 seconds' where reference = $1", [
      transfer.reference,
    ]);
    await expectEnds(transfer, ["failed"]);
    expect(await show(world, transfer.merchant, transfer.reference)).toMatchObject({ failure_code: "not_received" });
  });

  test("and is paid after all goes to suspense; the merchant's record stays as it was told", async () => {
    await start({ unknownAfterMs: 0, followUpsMs: [0, 0] });
    bank.onPay((order) => {
      bank.onEnquiry((id, response) => {
        // Heard of only when it is asked again after the end.
        if (bank.asked.length === 2) bank.accept(order, "success");
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
  test("is found by asking again after the success", async () => {
    await start({ followUpsMs: [0, 50, 100] });
    bank.onEnquiry((id, response) => {
      const payout = bank.payouts.get(id);
      if (payout && bank.asked.length === 3) payout.status = "reversed";
      bank.answer(response, id);
    });
    await expectEnds(await aTransfer(), ["success", "reversed"]);
  });

  test("learned before the success was booked is booked and told after it", async () => {
    await start();
    bank.onPay((order) => bank.accept(order, "reversed"));
    await expectEnds(await aTransfer(), ["success", "reversed"]);
  });

  test("is not looked for after the last follow-up, nor while the bank does not answer given up", async () => {
    await start({ followUpsMs: [0, 0] });
    bank.onEnquiry((id, response) => {
      if (bank.asked.length > 3) return bank.answer(response, id);
      response.writeHead(503).end();
    });
    const { merchant } = await aTransfer();
    await until("the bank was asked for the last time", async () => {
      const [row] = await rowsOf(world, merchant);
      return row?.step === "told" && row.follow_up_at === null;
    });
    expect(await rowsOf(world, merchant)).toMatchObject([{ follow_ups: 2, status: "success" }]);
    expect(bank.asked).toHaveLength(5);
  });
});

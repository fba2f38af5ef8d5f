import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { claimDueFollowUps, claimDueTransfers } from "../../src/outbound/store/transfer-steps.ts";
import type { HttpBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  send,
  startPayments,
  untilStep,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

const { world, ledger } = await useNeighbors();
let bank: HttpBank;
beforeEach(async () => {
  bank = await startOwnBank(world);
});

describe("several replicas", () => {
  test("pay each transfer once, whichever claims it", async () => {
    for (const _ of [1, 2, 3]) {
      const { stop } = await startPayments(world, {
        partner: partnerAt(bank.url, 5_000),
        transferTimes: { pollMs: 5 },
      });
      onTestFinished(stop);
    }
    bank.onPay((order, response) => {
      bank.accept(order, "success");
      // Half of the responses are lost.
      if (bank.sent.length % 2 === 0) bank.answer(response, order.id);
      else response.socket?.resetAndDestroy();
    });
    const merchant = aFundedMerchant(ledger, "live");
    const orders = Array.from({ length: 60 }, () => anOrder(LIVE_ACCOUNT));
    const answers = await Promise.all([...orders, ...orders].map((order) => send(world, merchant, order)));
    expect(answers.filter(({ created }) => created)).toHaveLength(60);
    const rows = await untilStep(world, merchant, "told");
    expect(rows).toHaveLength(60);
    expect(bank.sent.toSorted()).toEqual(rows.map(({ reference }) => reference).toSorted());
    expect(ledger.settled(merchant)).toBe(100_000_000n - 60n * 250_073n);
  });

  test("never claim the same row while its lease lasts", async () => {
    const merchant = aFundedMerchant(ledger, "live");
    const { stop } = await startPayments(world, {
      partner: partnerAt(bank.url, 10_000),
      transferTimes: { pollMs: 3_600_000 },
    });
    await Promise.all(Array.from({ length: 20 }, () => send(world, merchant, anOrder(LIVE_ACCOUNT))));
    await untilStep(world, merchant, "told");
    await stop();
    await world.owner.query("update transfers set next_at = now(), follow_up_at = now() where merchant_id = $1", [
      merchant.id,
    ]);
    for (const claim of [claimDueTransfers, claimDueFollowUps]) {
      const claims = await Promise.all(
        [1, 2, 3].map(() => claim(world.pool, { mode: "live", limit: 10, leaseMs: 60_000 })),
      );
      const claimed = claims.flat().map(({ reference }) => reference);
      expect(new Set(claimed).size).toBe(claimed.length);
      expect(claimed).toHaveLength(20);
    }
  });
});

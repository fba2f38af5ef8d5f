import { UNCERTAIN } from "@collect/bank";
import type { Bus } from "@collect/bus";
import { endPayout, listUnansweredPayouts, repeatPayout } from "@collect/contracts";
import { until } from "@collect/testing";
import { beforeEach, expect, onTestFinished } from "vitest";
import type { HttpBank } from "./http-bank.ts";
import {
  aFundedMerchant,
  anOrder,
  LIVE_ACCOUNT,
  partnerAt,
  send,
  startPayments,
  untilStatus,
  untilStep,
} from "./transfers-world.ts";
import { startOwnBank, useNeighbors } from "./use-transfers.ts";

export const reason = "The bank's mail of today";

type Payout = { merchant: { id: string }; reference: string };

/** Payouts that the bank got or did not get, and never answered. */
export async function useUnanswered() {
  const neighbors = await useNeighbors();
  const { world, ledger, webhooks } = neighbors;
  const { merchants, others, owner } = world;
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

  const makeOld = (reference: string) =>
    owner.query("update transfers set sent_at = now() - interval '601 seconds' where reference = $1", [reference]);

  async function anUnanswered() {
    const merchant = aFundedMerchant(ledger, "live");
    bank.onPay((_order, response) => void response.destroy());
    const { reference } = (await send(world, merchant, anOrder(LIVE_ACCOUNT))).transfer;
    await until("it is asked about", () => bank.payoutEnquiries.includes(reference));
    await makeOld(reference);
    return { merchant, reference, payout: { id: reference, ...LIVE_ACCOUNT, amount: 2500.73 } };
  }

  const aboutIt = ({ merchant, reference }: Payout) => ({ merchant_id: merchant.id, reference });
  const listed = async (payout: Payout) => ({ ...aboutIt(payout), sent_at: await sentAtOf(others, payout) });
  const endAs = async (payout: Payout, bank_reference: string | null) =>
    others.request(endPayout, { ...(await listed(payout)), bank_reference, reason });
  const repeat = async (payout: Payout) => others.request(repeatPayout, { ...(await listed(payout)), reason });

  /** The transfer, the ledger's money and the merchant's event say so, and the merchant has it once. */
  async function expectEnd(
    { merchant, reference }: Awaited<ReturnType<typeof anUnanswered>>,
    end: "success" | "failed",
  ) {
    await untilStatus(world, merchant, reference, end);
    await untilStep(world, merchant, "told");
    expect(ledger.held.get(reference)).toMatchObject({ ends: [end] });
    expect(ledger.settled(merchant)).toBe(end === "success" ? 99_749_927n : 100_000_000n);
    expect([...new Set(webhooks.about(reference).map(({ status }) => status))]).toEqual([end]);
  }

  return { ...neighbors, start, anUnanswered, makeOld, aboutIt, listed, endAs, repeat, expectEnd, bank: () => bank };
}

/** As an operator does it: the act is about the order that is listed. */
async function sentAtOf(others: Bus, { reference }: Payout): Promise<string | null> {
  const { payouts } = await others.request(listUnansweredPayouts, { reference });
  return payouts[0]?.sent_at ?? null;
}

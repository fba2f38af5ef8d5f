import { beforeEach, expect, onTestFinished } from "vitest";
import type { TransferTimes } from "../../src/outbound/domain/transfer-times.ts";
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

/** Live transfers at a bank that does as each test says. */
export async function useLiveTransfers() {
  const neighbors = await useNeighbors();
  const { world, ledger, webhooks } = neighbors;
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

  return { ...neighbors, start, aTransfer, expectEnds, bank: () => bank };
}

import type { MerchantScope } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { bank, payouts, settled, suspense } from "./account.ts";
import { balanced, credit, debit, type Leg, type Transaction, type TransferBooking } from "./transaction.ts";

/** Money that a merchant sends to a bank account, under the id that payments gave it. In kobo. */
export type Outbound = { transferId: string; merchant: MerchantScope; amount: Kobo };

/** What payments tells of a transfer, and the two ends that its money can have: a reversal follows a success. */
export type Outcome = "success" | "failed" | "reversed";
export type End = "success" | "failed";
export const endOf = (outcome: Outcome): End => (outcome === "failed" ? "failed" : "success");

/**
 * What stands in the books once this outcome was told, given which end was told first. It depends on nothing else, so that
 * outcomes may come twice, at once and in any order: a reversal before its success is booked as both.
 * After a failure the money is the merchant's again, so what the bank says it paid after all is ours to miss: suspense takes
 * it, until the bank takes it back. A failure after a success books nothing: the money has left until the bank says that it
 * was reversed.
 */
export function completion(firstEnd: End, outcome: Outcome): Completion {
  return COMPLETIONS[firstEnd][outcome];
}

export type Completion = { bookings: TransferBooking[]; booked: "as_told" | "suspense" };

const COMPLETIONS: Record<End, Record<Outcome, Completion>> = {
  success: {
    success: { bookings: ["payout"], booked: "as_told" },
    reversed: { bookings: ["payout", "reversal"], booked: "as_told" },
    failed: { bookings: [], booked: "suspense" },
  },
  failed: {
    failed: { bookings: ["return"], booked: "as_told" },
    success: { bookings: ["late_payout"], booked: "suspense" },
    reversed: { bookings: ["late_payout", "late_reversal"], booked: "suspense" },
  },
};

/** One booking for a transfer, under `{transfer id}:{booking}`. The bank is credited when money leaves. */
export function transferTransaction(
  booking: TransferBooking,
  given: { transfer: Outbound; shard: number; toldAt: string },
): Transaction {
  const { transferId, merchant, amount } = given.transfer;
  return balanced(
    {
      key: `${transferId}:${booking}`,
      kind: booking,
      mode: merchant.mode,
      merchantId: merchant.id,
      amount,
      fee: 0n,
      feeBasisPoints: 0,
      occurredAt: given.toldAt,
      receivedAt: null,
    },
    legsOf(booking, given.transfer, given.shard),
  );
}

function legsOf(booking: TransferBooking, { merchant, amount }: Outbound, shard: number): Leg[] {
  const ours = { mode: merchant.mode, shard };
  const move = (from: Leg["account"], to: Leg["account"]) => [debit(from, amount), credit(to, amount)];
  switch (booking) {
    case "reserve":
      return move(settled(merchant), payouts(merchant));
    case "return":
      return move(payouts(merchant), settled(merchant));
    case "payout":
      return move(payouts(merchant), bank(ours));
    case "reversal":
      return move(bank(ours), settled(merchant));
    case "late_payout":
      return move(suspense(ours), bank(ours));
    case "late_reversal":
      return move(bank(ours), suspense(ours));
  }
}

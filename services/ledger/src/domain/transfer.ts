import type { MerchantScope } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import { bank, payouts, settled, suspense } from "./account.ts";
import { balanced, credit, debit, type Leg, type Transaction, type TransferBooking } from "./transaction.ts";

/** Money that a merchant sends to a bank account, under the id that payments assigned. In kobo. */
export type Outbound = { transferId: string; merchant: MerchantScope; amount: Kobo };

/** The outcomes that payments reports, and the two ends of a transfer: a reversal follows a success. */
export type Outcome = "success" | "failed" | "reversed";
export type End = "success" | "failed";
export const endOf = (outcome: Outcome): End => (outcome === "failed" ? "failed" : "success");

/**
 * The bookings for a reported outcome, given which end was reported first. They depend on nothing else, so outcomes may
 * be reported twice, concurrently and in any order: a reversal reported before its success is booked as both.
 * After a failure the money is the merchant's again, so a payout that the bank reports later is our loss: it is booked to
 * suspense, until the bank reverses it. A failure after a success books nothing: the money has been paid out until the
 * bank reports a reversal.
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

/** When a transfer was paid and when it came back, as payments has stored it. */
export type Ends = { completedAt: string | null; reversedAt: string | null };
/** `ends` are known of a transfer that is booked again after a restore: it counts on the days on which it did. */
export type BookingContext = { shard: number; notifiedAt: string; ends?: Ends };

/** One booking for a transfer, under `{transfer id}:{booking}`. The bank is credited when money is paid out. */
export function transferTransaction(
  booking: TransferBooking,
  { transfer, shard, notifiedAt, ends }: BookingContext & { transfer: Outbound },
): Transaction {
  const { transferId, merchant, amount } = transfer;
  const end = AT_THE_BANK[booking];
  return balanced(
    {
      key: `${transferId}:${booking}`,
      kind: booking,
      mode: merchant.mode,
      merchantId: merchant.id,
      amount,
      fee: 0n,
      feeBasisPoints: 0,
      occurredAt: notifiedAt,
      receivedAt: null,
      countedAt: end && (ends?.[end] ?? notifiedAt),
    },
    legsOf(booking, transfer, shard),
  );
}

/** With which end money moves at the bank, if it does. */
const AT_THE_BANK: Record<TransferBooking, keyof Ends | null> = {
  ...{ reserve: null, return: null },
  ...{ payout: "completedAt", late_payout: "completedAt" },
  ...{ reversal: "reversedAt", late_reversal: "reversedAt" },
};

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

import type { PayoutState } from "@collect/bank";
import type { Mode } from "@collect/contracts";
import type { Kobo } from "@collect/money";

/**
 * created   the merchant's order is committed; whether the ledger holds the money is not known yet
 * refused   the ledger does not: nobody is shown this row, and its reference is free again
 * reserved  the ledger holds the money; the bank has not been called
 * sending   the bank may have been called, so from now on it is only asked
 * decided   the bank has said how it ended; the ledger is yet to book that
 * booked    the ledger has booked it; the merchant's event is yet to be recorded
 * told      nothing is left to do, unless a later enquiry learns that a success was reversed: then `decided` again
 */
export type Step = "created" | "refused" | "reserved" | "sending" | "decided" | "booked" | "told";

/** How a transfer can end. A success can be followed by a reversal, nothing else by anything. */
export type End = "success" | "failed" | "reversed";
export type Verdict = { end: End; failureCode: string | null; failureReason: string | null };

export type Transfer = {
  reference: string;
  merchantId: string;
  mode: Mode;
  merchantReference: string;
  amount: Kobo;
  fee: Kobo;
  bankCode: string;
  bankName: string;
  accountNumber: string;
  accountName: string;
  narration: string | null;
  step: Step;
  /** What the merchant sees: the end that the ledger booked last. */
  status: "pending" | End;
  /** How the bank says that it ended; ahead of the status while `decided`. */
  verdict: End | null;
  failureCode: string | null;
  failureReason: string | null;
  /** The ends of which the merchant's event is recorded. */
  told: End[];
  attempts: number;
  followUps: number;
  createdAt: string;
  sentAt: string | null;
  completedAt: string | null;
  reversedAt: string | null;
};

/**
 * What the bank's answer means for a transfer that was sent, undefined while it stays open. A bank that has never
 * heard of it may still be about to: only when it has not for long enough the transfer has failed.
 */
export function verdictOn(
  heard: PayoutState | undefined,
  { sentForMs, unknownAfterMs }: { sentForMs: number; unknownAfterMs: number },
): Verdict | undefined {
  if (!heard) return sentForMs > unknownAfterMs ? NOT_RECEIVED : undefined;
  if (heard.status === "pending") return undefined;
  if (heard.status === "success") return { end: "success", failureCode: null, failureReason: null };
  return { end: heard.status, failureCode: heard.failureCode, failureReason: heard.failureReason };
}

const NOT_RECEIVED: Verdict = {
  end: "failed",
  failureCode: "not_received",
  failureReason: "The bank did not receive the transfer.",
};

/** What the ledger books next. A reversal is booked after its success, also when both are learned at once. */
export function endToBook({ status, verdict }: Pick<Transfer, "status" | "verdict">): End {
  if (!verdict || verdict === status) throw new Error("there is nothing to book");
  return verdict === "reversed" && status === "pending" ? "success" : verdict;
}

/** Of which end the merchant is told next; undefined when everything booked is told. The success comes before its reversal. */
export function endToTell({ status, told }: Pick<Transfer, "status" | "told">): End | undefined {
  return endsOf(status).find((end) => !told.includes(end));
}

function endsOf(status: Transfer["status"]): End[] {
  if (status === "pending") return [];
  return status === "reversed" ? ["success", "reversed"] : [status];
}

/** What an answer means that the bank gives when it is asked again after the end. */
export type Review = "stands" | "reversed" | "contradicted";

export function review(status: Transfer["status"], heard: PayoutState | undefined): Review {
  if (heard?.status === status) return "stands";
  if (status === "success") return heard?.status === "reversed" ? "reversed" : "contradicted";
  // A failure that the bank knows nothing of, or has not made up its mind about, is none the less one.
  return !heard || heard.status === "pending" ? "stands" : "contradicted";
}

/** Whether an order under a known reference is the same order. */
export function isSameOrder(
  known: Pick<Transfer, "amount" | "bankCode" | "accountNumber" | "narration">,
  order: { amount: Kobo; bank_code: string; account_number: string; narration?: string | undefined },
): boolean {
  return (
    known.amount === order.amount &&
    known.bankCode === order.bank_code &&
    known.accountNumber === order.account_number &&
    known.narration === (order.narration ?? null)
  );
}

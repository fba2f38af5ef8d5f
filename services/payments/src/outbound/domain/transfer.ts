import { isDeepStrictEqual } from "node:util";
import type { PayoutState } from "@collect/bank";
import type { Actor, Hold, Metadata, Mode, TransferApproval } from "@collect/contracts";
import type { Kobo } from "@collect/money";

/**
 * created   the merchant's order is committed; whether the ledger reserves the money is not known yet
 * refused   the ledger refused: the row is not visible to the merchant, and its reference is free again
 * reserved  the money is reserved in the ledger; the bank has not been called
 * sending   the bank may have been called, so from now on only its status is queried
 * decided   the bank has reported how it ended; the ledger has not booked that yet
 * booked    the ledger has booked it; the merchant's event is not recorded yet
 * told      complete, unless a later enquiry finds that a success was reversed: then `decided` again
 */
export type Step = "created" | "refused" | "reserved" | "sending" | "decided" | "booked" | "told";

/** How a transfer can end. Only a success can be followed by another end: its reversal. */
export type End = "success" | "failed" | "reversed";
export type Verdict = {
  end: End;
  failureCode: string | null;
  failureReason: string | null;
  /** Under which the bank paid it; absent where it does not say. */
  sessionId?: string;
};

/** What an operator found out from the bank's staff. Without the bank's reference it did not execute the transfer. */
export type Resolution = { bank_reference: string | null; reason: string; by: Actor };

/** With which line of a statement the bank returned a payout, as an operator found. */
export type Return = { line: string; reason: string; by: Actor };

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
  /** The order came with too many others to unknown accounts: holder-name.ts says when the name is shown. */
  nameWithheld: boolean;
  narration: string | null;
  /** Null where an earlier release took the order. */
  metadata: Metadata | null;
  step: Step;
  /** What the merchant sees: the last end that the ledger booked. */
  status: "pending" | End;
  /** The end that the bank reported; ahead of the status while `decided`. */
  verdict: End | null;
  failureCode: string | null;
  failureReason: string | null;
  /** The ends whose event webhooks has recorded. */
  notified: End[];
  attempts: number;
  followUps: number;
  createdAt: string;
  sentAt: string | null;
  completedAt: string | null;
  reversedAt: string | null;
  /** Why it waits at `reserved`; null otherwise. */
  heldFor: Hold | null;
  /** Null for an order of an older release. */
  orderedBy: Actor | null;
  /** The partner that it was sent to; null before that, and where it is not known. */
  partner: string | null;
  /** How an operator ended it, because the bank did not answer; null for all others. */
  resolution: Resolution | null;
  /** With which line it came back; null unless an operator said so. */
  returned: Return | null;
  /** The session id of NIP under which the bank paid it; null where it is not known. */
  sessionId: string | null;
  /** Null if it needs none. */
  approval: TransferApproval | null;
  approvalBy: Actor | null;
  approvalAt: string | null;
};

/** How a transfer ends that was not approved; the bank never received it. */
export const NOT_APPROVED = {
  declined: { failureCode: "approval_declined", failureReason: "A member of the team declined it." },
  expired: { failureCode: "approval_expired", failureReason: "It was not approved in time." },
} as const;

/** Whether this person may approve an order: another than the one who ordered it, or who knows the key that did. */
export function mayApprove(orderedBy: Actor | null, approver: Actor): boolean {
  return approver.kind === "member" && approver.user_id !== ordererOf(orderedBy);
}

/** Undefined for an operator or a service, and for a key of which no member is known to have made it. */
function ordererOf(orderedBy: Actor | null): string | undefined {
  if (orderedBy?.kind === "member") return orderedBy.user_id;
  return orderedBy?.kind === "key" ? orderedBy.made_by : undefined;
}

const DAY_MS = 24 * 3_600_000;

/**
 * When a person may approve live payouts who has had such a role since then: a role is no first step of a theft. Undefined if
 * that is so already. Test money can be approved at once.
 */
export function approvesFrom(mode: Mode, approvingSince: Date, now: Date): Date | undefined {
  const from = new Date(approvingSince.getTime() + DAY_MS);
  return mode === "test" || from <= now ? undefined : from;
}

/**
 * What the bank's response means for a transfer that was sent; undefined while it remains pending. A bank that does
 * not know the transfer may still be about to receive it, or be mistaken for a moment: the transfer has failed only once the bank
 * has said so, and nothing else, for long enough.
 */
export function verdictOn(
  state: PayoutState | undefined,
  { unknownForMs, unknownAfterMs }: { unknownForMs: number; unknownAfterMs: number },
): Verdict | undefined {
  if (!state) return unknownForMs > unknownAfterMs ? NOT_RECEIVED : undefined;
  if (state.status === "pending") return undefined;
  if (state.status === "success")
    return {
      ...{ end: "success", failureCode: null, failureReason: null },
      ...(state.sessionId !== undefined && { sessionId: state.sessionId }),
    };
  return { end: state.status, failureCode: state.failureCode, failureReason: state.failureReason };
}

const NOT_RECEIVED: Verdict = {
  end: "failed",
  failureCode: "not_received",
  failureReason: "The bank did not receive the transfer.",
};

/** How a transfer ends that the bank never answered, as an operator found out. */
export function verdictOf({ bank_reference }: Resolution): Verdict {
  return bank_reference === null ? NOT_EXECUTED : { end: "success", failureCode: null, failureReason: null };
}

const NOT_EXECUTED: Verdict = {
  end: "failed",
  failureCode: "not_executed",
  failureReason: "The bank did not execute the transfer.",
};

/** How a transfer ends whose money came back with a line of a statement: as where the bank reports its reversal. */
export const RETURNED: Verdict = {
  end: "reversed",
  failureCode: "returned",
  failureReason: "The bank returned the transfer.",
};

/** Whether a repeat of the act names the same line, for whatever reason. */
export const isReturnedBy = ({ returned }: Pick<Transfer, "returned">, { line }: Pick<Return, "line">): boolean =>
  returned?.line === line;

/** Whether a repeat of the act says the same about the transfer, for whatever reason. */
export const isSameResolution = (known: Resolution | null, { bank_reference }: Resolution): boolean =>
  known !== null && known.bank_reference === bank_reference;

/** Whether a repeat says once more that the bank did not execute what was ended as paid. */
export const isCorrected = ({ verdict, resolution }: Transfer, { bank_reference }: Resolution): boolean =>
  verdict === "reversed" && resolution !== null && bank_reference === null;

/** What the ledger books next. A reversal is booked after its success, even when both are reported at once. */
export function endToBook({ status, verdict }: Pick<Transfer, "status" | "verdict">): End {
  if (!verdict || verdict === status) throw new Error("there is nothing to book");
  return verdict === "reversed" && status === "pending" ? "success" : verdict;
}

/**
 * The end that the merchant is notified of next; undefined when all booked ends are. The success comes before its
 * reversal.
 */
export function endToNotify({ status, notified }: Pick<Transfer, "status" | "notified">): End | undefined {
  return endsOf(status).find((end) => !notified.includes(end));
}

function endsOf(status: Transfer["status"]): End[] {
  if (status === "pending") return [];
  return status === "reversed" ? ["success", "reversed"] : [status];
}

/** What the bank's response to an enquiry after the end means. */
export type Review = "stands" | "reversed" | "contradicted";

export function review(
  { status, resolution }: Pick<Transfer, "status" | "resolution">,
  state: PayoutState | undefined,
): Review {
  if (state?.status === status) return "stands";
  const isAnswer = state !== undefined && state.status !== "pending";
  // A failure, and what an operator found out, remains so while the bank does not know the transfer or has it pending.
  if ((status === "failed" || resolution) && !isAnswer) return "stands";
  return status === "success" && state?.status === "reversed" ? "reversed" : "contradicted";
}

/** Whether an order under a known reference is the same order. */
export function isSameOrder(
  known: Pick<Transfer, "amount" | "bankCode" | "accountNumber" | "narration" | "metadata">,
  order: {
    amount: Kobo;
    bank_code: string;
    account_number: string;
    narration?: string | undefined;
    metadata?: Metadata | undefined;
  },
): boolean {
  return (
    known.amount === order.amount &&
    known.bankCode === order.bank_code &&
    known.accountNumber === order.account_number &&
    (known.narration || null) === (order.narration || null) &&
    isDeepStrictEqual(known.metadata ?? {}, order.metadata ?? {})
  );
}

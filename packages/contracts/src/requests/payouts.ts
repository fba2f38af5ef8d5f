import { z } from "zod";
import { AccountNumber, BankCode, FreeText, Id, Instant, Kobo, OperatorReason } from "../fields.ts";
import { TRANSFER_STATUSES } from "../merchant-api/transfers.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";
import { LineId } from "./statement-lines.ts";

/** Live payouts as a whole: the operator's switch, those that are held, and those that the bank does not answer. */

export const HOLDS = ["merchant_suspended", "payouts_stopped"] as const;
export type Hold = (typeof HOLDS)[number];

export const TRANSFER_APPROVALS = ["required", "approved", "declined", "expired", "lost"] as const;
/** `lost`: it waited for approval when the database was restored; it is not sent again, only enquired about. */
export type TransferApproval = (typeof TRANSFER_APPROVALS)[number];

const Stop = z.object({ reason: z.string(), since: Instant });

const Payouts = z.object({
  /** Null while payouts are sent. */
  stopped: Stop.nullable(),
  /** The bank was called for these and has not answered yet. */
  in_flight: z.int(),
  /** Accepted orders that wait, by the reason of their last hold. */
  held: z.array(z.object({ held_for: z.enum(HOLDS), count: z.int(), sum: Kobo })),
});
export type Payouts = z.output<typeof Payouts>;

export const showPayouts = request({
  subject: "payments.payouts.show",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Whether live payouts are stopped, and how many are held.",
  input: z.object({}),
  output: Payouts,
});

export const stopPayouts = request({
  subject: "payments.payouts.stop",
  callers: ["operator"],
  operator: { action: "payouts.stopped", detail: ["reason"] },
  operatorPages: true,
  meaning:
    "Stop all live payouts. Answered once none can be sent any more; a repeat keeps the first reason and time. New orders are refused with payouts_stopped.",
  deadlineMs: 20_000,
  input: z.object({ reason: OperatorReason }),
  output: Payouts,
});

export const startPayouts = request({
  subject: "payments.payouts.start",
  callers: ["operator"],
  operator: { action: "payouts.started", detail: ["reason"], fourEyes: true },
  operatorPages: true,
  meaning: "Send live payouts again, those that were held first.",
  input: z.object({ reason: OperatorReason }),
  output: Payouts,
});

/** Its reference is the id under which the bank was called. */
const Unanswered = z.object({ merchant_id: Id, reference: z.string().max(100) });
/** As listed, so that the act is about that order alone and not about a later one; null if it is not listed. */
const Act = Unanswered.extend({ sent_at: Instant.nullable() });
const Ended = z.object({ reference: z.string(), status: z.enum(TRANSFER_STATUSES) });

export const listUnansweredPayouts = request({
  subject: "payments.payouts.list_unanswered",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "The live payouts of which the bank has not said how they ended, long after it was called; oldest first, at most 100; or this one alone.",
  input: z.object({ reference: Unanswered.shape.reference.optional() }),
  output: z.object({
    payouts: z.array(
      Unanswered.extend({
        /** Null where it is not known which one was called. */
        partner: z.string().nullable(),
        bank_code: BankCode,
        account_number: AccountNumber,
        amount: Kobo,
        sent_at: Instant,
        /** Since when the bank has said without a break that it does not know it; null while it does not say so. Absent from the release before. */
        unknown_since: Instant.nullish(),
        /** `lost`: a restore lost whether it was approved, so it is not sent again. */
        approval: z.enum(TRANSFER_APPROVALS).nullable(),
      }),
    ),
  }),
});

export const endPayout = request({
  subject: "payments.payouts.end",
  callers: ["operator"],
  operator: { action: "payout.ended", detail: ["reference", "bank_reference", "reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Say how a payout ended that the bank does not answer: paid under the bank's reference, or not executed, which returns the money to the merchant.",
  deadlineMs: 30_000,
  input: Act.extend({
    /** Null if the bank did not execute it. */
    bank_reference: FreeText.trim().min(1).max(100).nullable(),
    reason: OperatorReason,
  }),
  output: Ended,
});

export const repeatPayout = request({
  subject: "payments.payouts.repeat",
  callers: ["operator"],
  operator: { action: "payout.repeated", detail: ["reference", "reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Order a payout under the same id again from a bank that may never have received it, and that refuses an id a second time.",
  deadlineMs: 45_000,
  input: Act.extend({ reason: OperatorReason }),
  output: Ended,
});

export const findPayout = request({
  subject: "payments.payouts.find",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "A live payout by its id, with its merchant and how it stands.",
  input: z.object({ reference: Unanswered.shape.reference }),
  output: z.object({
    payout: Unanswered.extend({
      /** Null where it is not known which one was called. */
      partner: z.string().nullable(),
      bank_code: BankCode,
      account_number: AccountNumber,
      amount: Kobo,
      status: z.enum(TRANSFER_STATUSES),
      ordered_at: Instant,
    }).nullable(),
  }),
});

export const PAYOUT_NAMINGS = ["reference", "session", "beneficiary"] as const;
/** `reference` and `session`: the line names it. `beneficiary`: it has its amount and the account that it went to. */
export type PayoutNaming = (typeof PAYOUT_NAMINGS)[number];

export const findPayoutOfLine = request({
  subject: "payments.payouts.of_line",
  callers: ["operator", "accounts"],
  operator: "read",
  operatorPages: true,
  meaning:
    "The live payout that an outgoing line of a statement names; or that it may be, by its amount and account, of those that the bank has not answered or that failed in the days before.",
  deadlineMs: 10_000,
  input: z.object({ line: LineId }),
  output: z.object({
    payout: Unanswered.extend({
      account_number: AccountNumber,
      status: z.enum(TRANSFER_STATUSES),
      named_by: z.enum(PAYOUT_NAMINGS),
      /** More payouts of this amount and account that it may be. */
      others: z.array(Id).optional(),
    }).nullable(),
  }),
});

export const returnPayout = request({
  subject: "payments.payouts.return",
  callers: ["operator"],
  operator: { action: "payout.returned", detail: ["reference", "line", "reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Say that the bank returned a payout after its success, by the line of the statement with which the money came back: the merchant gets it back as after a reversal that the bank reports.",
  deadlineMs: 30_000,
  input: Unanswered.extend({
    /** An incoming line of the account that pays out, of the same amount and in no match. */
    line: LineId,
    reason: OperatorReason,
  }),
  output: Ended,
});

export const takeBackReturn = request({
  subject: "payments.payouts.take_back_return",
  callers: ["operator"],
  operator: { action: "payout.return_taken_back", detail: ["reference", "line", "reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Take back the return of a payout with a line that was not carried out: line and payout are free for another one. Refused once this line has returned it; the same again changes nothing.",
  deadlineMs: 20_000,
  input: Unanswered.extend({ line: LineId, reason: OperatorReason }),
  output: Ended,
});

export const drainPayouts = request({
  subject: "payments.payouts.drain",
  callers: ["gateway"],
  meaning:
    "Wait until the bank has answered for every payout of a merchant that it was called for; at most 12 seconds.",
  deadlineMs: 14_000,
  input: z.object({ merchant_id: Id }),
  output: z.object({ in_flight: z.int() }),
});

export const releasePayouts = request({
  subject: "payments.payouts.release",
  callers: ["gateway"],
  meaning: "Make the held payouts of a merchant due now. Whether they are sent is asked again for each.",
  input: z.object({ merchant_id: Id }),
  output: z.object({ released: z.int() }),
});

export const getPayoutState = request({
  subject: "payments.payouts.get",
  callers: ["dashboard"],
  meaning:
    "Since when payouts are stopped for all merchants, null while they are sent; and how many of the merchant are held or wait for approval.",
  input: byScope,
  output: z.object({
    stopped_since: Instant.nullable(),
    held: z.int(),
    awaiting_approval: z.int(),
    /** Files of transfers; the previous release has none. */
    files_awaiting_approval: z.int().optional(),
  }),
});

export const reviewPayout = request({
  subject: "payments.payout.review",
  callers: ["accounts"],
  meaning:
    "A partner reported that a live payout came back after it had succeeded: it is asked about now. Nothing of the report is believed, and an unknown payout is none.",
  input: z.object({ partner: z.string().max(100), reference: z.string().max(100) }),
  output: z.object({ is_due: z.boolean() }),
});

import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, PositiveKobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";
import { pageOf, walk } from "./recovery-pages.ts";
import { Reason } from "./statements.ts";

/** Single lines of the bank's statements: what is offered of them, and matched by hand. */

export const LineId = z.string().regex(/^\d{1,18}$/);

/** As the bank's notifications have it. */
export const BankTransferId = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u, "must be 1 to 100 printable characters");

/** What accounts calls a reversal that only a line of a statement shows: one of each line, however its number is written. */
export const reversalIdOf = (line: string): string => `line:${BigInt(line)}`;
export const isReversalOfLine = (bankTransferId: string): boolean => /^line:\d{1,18}$/.test(bankTransferId);

/** As what a line was offered. */
export const StandingOffer = z.object({
  bank_transfer_id: BankTransferId,
  account_number: AccountNumber,
  /** What the payer sent. */
  amount: PositiveKobo,
  offered_at: Instant,
  /** It is claimed as the return of a payout: the id is that of the payout, and the account the one that it was sent to. */
  is_return: z.boolean().optional(),
  /** It is claimed for what the bank took back of a transfer: the amount is that, and the account the one that had been paid into. */
  is_reversal: z.boolean().optional(),
});

export const getStatementLine = request({
  subject: "statements.line.get",
  callers: ["operator", "accounts", "payments"],
  operator: "read",
  operatorPages: true,
  meaning: "A line of a statement, or a part of a batched one.",
  input: z.object({ line: LineId }),
  output: z.object({
    account: z.string(),
    bank: z.string(),
    booked_on: Day,
    amount: Kobo,
    session_id: z.string().nullable(),
    references: z.array(z.string()),
    narration: z.string(),
    is_matched: z.boolean(),
    /** A reason says that it is money of our own, or a charge that the bank gave back: it is then neither offered nor claimed (`line_is_own_funds`). */
    is_own: z.boolean().optional(),
    /** As its session id says; null without one. */
    paid_at: Instant.nullable(),
    /** Null unless it was offered, and that was not taken back. */
    offer: StandingOffer.nullish(),
  }),
});

export const claimLine = request({
  subject: "statements.line.claim",
  callers: ["accounts"],
  meaning:
    "Offer the money of a line that is in no match as a transfer with this id: of one line always the same one, so that it is credited once.",
  deadlineMs: 20_000,
  input: z.object({
    line: LineId,
    bank_transfer_id: BankTransferId,
    account_number: AccountNumber,
    /** What the payer sent: that of the line, with what the bank kept of it. */
    amount: PositiveKobo,
    /** Whether the partner, asked by us, said this amount. Without it the fee is bounded: it is the word of two operators alone. */
    is_confirmed: z.boolean().optional(),
    /** Under which accounts would credit it. With it a transfer of this id is found that was reported long ago. */
    intake_id: Id.optional(),
  }),
  output: z.object({
    bank: z.string(),
    /** What reached our account. */
    amount: PositiveKobo,
    session_id: z.string().nullable(),
    narration: z.string(),
    paid_at: Instant.nullable(),
    /** Of the offer, which a repeat does not change: one that is withdrawn and made again is another. */
    offered_at: Instant,
  }),
});

const LineOffer = z.object({ line: LineId, bank_transfer_id: BankTransferId });

export const getLineOffer = request({
  subject: "statements.line.offer",
  callers: ["accounts"],
  meaning:
    "The offer of a line that is not matched with the transfer of its id: with what was reported by now, it was not credited.",
  deadlineMs: 10_000,
  input: LineOffer,
  output: z.object({ bank: z.string(), session_id: z.string().nullable(), offered_at: Instant }),
});

export const releaseLine = request({
  subject: "statements.line.release",
  callers: ["accounts"],
  meaning:
    "Take back an offer that accounts will never credit. The same again, and after another offer of the line, changes nothing.",
  input: LineOffer.extend({ offered_at: Instant }),
  output: z.object({}),
});

const ReturnedLine = z.object({ line: LineId, reference: Id });

export const claimReturn = request({
  subject: "statements.line.claim_return",
  callers: ["payments"],
  meaning:
    "Keep a line that is in no match for a payout that the bank returned with it: one line of each payout, and no line for two payouts or for an incoming transfer.",
  deadlineMs: 20_000,
  input: ReturnedLine.extend({
    /** That the payout was sent to. */
    account_number: AccountNumber,
    /** Of the payout, which is that of the line. */
    amount: PositiveKobo,
    /** No line of an earlier day returns it. Absent from the release before. */
    ordered_at: Instant.optional(),
  }),
  output: z.object({}),
});

export const releaseReturn = request({
  subject: "statements.line.release_return",
  callers: ["payments"],
  meaning:
    "Free a line that was claimed for a payout which this line has not returned, and will not by an act that has begun: the bank reported its return, another line has it, or the act was refused or taken back. The same again changes nothing.",
  input: ReturnedLine,
  output: z.object({}),
});

/** Far more than the parts in which a bank takes a transfer back. */
const REVERSALS_MAX = 500;

export const claimReversal = request({
  subject: "statements.line.claim_reversal",
  callers: ["accounts"],
  meaning:
    "Keep a line that is in no match, and with which the bank took a transfer back, for the reversal that accounts books of it. What our books have taken back of the transfer by now has its own lines first.",
  deadlineMs: 20_000,
  input: z.object({
    line: LineId,
    /** That the transfer was paid into. */
    account_number: AccountNumber,
    /** What is taken back of the transfer: that of the line, with what the bank gave back of its charges. */
    amount: PositiveKobo,
    /** What our books have taken back of the transfer already. */
    reversals: z.array(Id).max(REVERSALS_MAX),
  }),
  output: z.object({}),
});

export const listLineOffers = request({
  subject: "statements.recovery.offers",
  callers: ["accounts"],
  meaning:
    "All offers of lines that were not taken back, in the order in which they were made: so that accounts can restore what it decided on them.",
  deadlineMs: 10_000,
  input: z.object({ after: walk.after }),
  output: pageOf(
    LineOffer.extend({
      bank: z.string(),
      session_id: z.string().nullable(),
      offered_at: Instant,
      /** What the payer sent. Absent from the release before. */
      amount: Kobo.optional(),
    }),
  ),
});

export const matchByHand = request({
  subject: "statements.match.set",
  callers: ["operator"],
  operator: { action: "lines.matched", detail: ["lines", "movements", "difference"] },
  operatorPages: true,
  meaning:
    "Match lines with movements that belong together, and have the same sum or differ by what is named; what either is matched with by itself gives way. It is kept.",
  input: z.object({
    lines: z.array(LineId).min(1).max(100),
    movements: z.array(z.string().max(120)).min(1).max(100),
    /** By how much the lines are more than the movements, if their sums differ: it needs a reason of its own. Refused as `sums_differ` if it is another. */
    difference: Kobo.optional(),
  }),
  output: z.object({ match: z.string() }),
});

export const undoMatch = request({
  subject: "statements.match.undo",
  callers: ["operator"],
  operator: { action: "match.undone", detail: ["match", "reason"], result: ["is_undone"] },
  operatorPages: true,
  meaning:
    "Undo a match by hand, all of whose lines and movements are of open days: they are open again, and what was vouched for with it counts no more.",
  input: z.object({
    /** The number of `match:1764000000000004`. */
    match: LineId,
    reason: Reason,
  }),
  /** False if there is no such match by hand, as when it was undone before. */
  output: z.object({ is_undone: z.boolean() }),
});

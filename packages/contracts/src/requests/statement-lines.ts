import { z } from "zod";
import { AccountNumber, Instant, Kobo, PositiveKobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";
import { pageOf, walk } from "./recovery-pages.ts";

/** Single lines of the bank's statements: what is offered of them, and matched by hand. */

export const LineId = z.string().regex(/^\d{1,18}$/);

export const getStatementLine = request({
  subject: "statements.line.get",
  callers: ["operator"],
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
    /** As its session id says; null without one. */
    paid_at: Instant.nullable(),
  }),
});

/** As the bank's notifications have it. */
export const BankTransferId = z
  .string()
  .regex(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u, "must be 1 to 100 printable characters");

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
  meaning: "The offer of a line that is in no match: with what was reported by now, it was not credited.",
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

export const listLineOffers = request({
  subject: "statements.recovery.offers",
  callers: ["accounts"],
  meaning:
    "All offers of lines that were not taken back, in the order in which they were made: so that accounts can restore what it decided on them.",
  deadlineMs: 10_000,
  input: z.object({ after: walk.after }),
  output: pageOf(LineOffer.extend({ bank: z.string(), session_id: z.string().nullable(), offered_at: Instant })),
});

export const matchByHand = request({
  subject: "statements.match.set",
  callers: ["operator"],
  operator: { action: "lines.matched", detail: ["lines", "movements"] },
  operatorPages: true,
  meaning:
    "Match lines with movements that belong together; what either is matched with by itself gives way. It is kept.",
  input: z.object({
    lines: z.array(LineId).min(1).max(100),
    movements: z.array(z.string().max(120)).min(1).max(100),
  }),
  output: z.object({ match: z.string() }),
});

import { z } from "zod";
import { Id, PositiveKobo } from "../fields.ts";
import { request } from "../message.ts";
import { LineId } from "./statement-lines.ts";
import { Reason } from "./statements.ts";

/** Credits that a bank reported and never had. */

const PREFIX = "missing:";
/** What accounts calls the reversal of a credit that never came: one of each credit. */
export const missingIdOf = (intakeId: string): string => `${PREFIX}${intakeId}`;
/** The credit that the reversal with this id takes back as never come; undefined for every other reversal. */
export const missingCreditOf = (bankTransferId: string): string | undefined =>
  bankTransferId.startsWith(PREFIX) ? bankTransferId.slice(PREFIX.length) : undefined;

const LATE = "came:";
/** The id under which a credit is credited once more that was taken back as never come, and came after all: once. */
export const lateIdOf = (intakeId: string): string => `${LATE}${intakeId}`;
/** The credit of which this is the id; undefined for every other id. */
export const lateCreditOf = (bankTransferId: string): string | undefined =>
  bankTransferId.startsWith(LATE) ? bankTransferId.slice(LATE.length) : undefined;

/** As many as are looked at by persons. */
const LINES_MAX = 100;

export const reverseMissingCredit = request({
  subject: "accounts.missing_credit.reverse",
  callers: ["operator"],
  operator: {
    action: "credit.never_came",
    detail: ["intake_id", "amount", "despite_lines", "reason"],
    result: ["reversal_id", "status"],
    fourEyes: true,
  },
  meaning:
    "Take back a whole transfer that a partner reported and that its statements do not have, up to the day by which it would be there: it is booked as a reversal that the partner reports. What the partner reports or takes back of it afterwards changes nothing.",
  deadlineMs: 30_000,
  input: z.object({
    intake_id: Id,
    /** Of the transfer: what its payer sent. */
    amount: PositiveKobo,
    /** Lines that may be or contain the transfer, and of which the bank's staff say that they do not. */
    despite_lines: z.array(LineId).max(LINES_MAX).nullish(),
    reason: Reason,
  }),
  output: z.object({ reversal_id: Id, status: z.enum(["accepted", "duplicate"]) }),
});

export const creditLateTransfer = request({
  subject: "accounts.missing_credit.credit",
  callers: ["operator"],
  operator: {
    action: "credit.came_late",
    detail: ["line", "intake_id", "amount", "reason"],
    result: ["intake_id", "status"],
    fourEyes: true,
  },
  meaning:
    "Credit a transfer once more that was taken back as never come, as a line of a later statement shows it: as a transfer of its own, once.",
  deadlineMs: 30_000,
  input: z.object({
    /** An incoming one of what reaches us of the transfer, in no match. */
    line: LineId,
    /** Of the transfer that was taken back. */
    intake_id: Id,
    /** Of the transfer: what its payer sent. */
    amount: PositiveKobo,
    reason: Reason,
  }),
  output: z.object({ intake_id: Id, status: z.enum(["accepted", "duplicate", "quarantined", "unallocated"]) }),
});

export const holdMissingCredit = request({
  subject: "statements.credit.hold_missing",
  callers: ["accounts"],
  meaning:
    "Keep an incoming transfer that the statements of its account prove to be missing at the bank, in no match for some minutes: until then accounts has booked its reversal, with which it is matched, or never will by this act.",
  deadlineMs: 20_000,
  input: z.object({ intake_id: Id, despite_lines: z.array(LineId).max(LINES_MAX) }),
  output: z.object({}),
});

import { z } from "zod";
import { Id, Instant, MerchantScope } from "../fields.ts";
import { request } from "../message.ts";
import { transferReversed } from "../reversal-events.ts";
import { pageOf, walk } from "./recovery-pages.ts";

/** Requests with which a service whose database was restored gets reversals back from its peers. */

export const redriveReversals = request({
  subject: "accounts.recovery.redrive_reversals",
  callers: ["ledger", "payments"],
  meaning:
    "Drive the reversals received, admitted or completed since then once more, a page at a time: so that they are stored again.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(
    z.object({
      intake_id: Id,
      credit_id: Id,
      received_at: Instant,
      /** Null for money in suspense. */
      merchant: MerchantScope.nullable(),
      /** It was booked to suspense first, and its credit was allocated since. */
      allocated: z.boolean(),
    }),
  ),
});

export const listReversals = request({
  subject: "payments.recovery.reversals",
  callers: ["accounts"],
  meaning: "Reversals stored since then, with the bank's identifiers: so that accounts can restore them.",
  deadlineMs: 10_000,
  input: z.object(walk),
  output: pageOf(transferReversed.data),
});

export const readReversals = request({
  subject: "payments.recovery.read_reversals",
  callers: ["accounts"],
  meaning: "These reversals, with the bank's identifiers: so that accounts can restore them.",
  deadlineMs: 10_000,
  input: z.object({ intake_ids: z.array(Id).max(500) }),
  output: z.object({ reversals: z.array(transferReversed.data) }),
});

/** Far more than the parts in which a bank takes a credit back. */
export const REVERSALS_OF_CREDIT_MAX = 500;

export const listSuspenseReversals = request({
  subject: "ledger.recovery.suspense_reversals",
  callers: ["accounts"],
  meaning:
    "What is booked as taken out of suspense of this credit: so that accounts, restored to a time before, does not allocate what is gone.",
  input: z.object({ credit_id: Id }),
  output: z.object({ intake_ids: z.array(Id).max(REVERSALS_OF_CREDIT_MAX) }),
});

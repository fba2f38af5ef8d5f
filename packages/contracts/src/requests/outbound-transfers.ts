import { z } from "zod";
import { Actor } from "../actor.ts";
import { AmountRange, Browse, browseOf, Search, Selected, Span, totalsOf } from "../browse.ts";
import { AccountNumber, BankCode, Instant, Naira } from "../fields.ts";
import { TRANSFER_STATUSES, Transfer } from "../merchant-api/transfers.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";
import { HOLDS, TRANSFER_APPROVALS } from "./payouts.ts";

/** Which transfers. Every filter that is given has to match. */
const TransferFilters = byScope.extend({
  ...Span.shape,
  ...AmountRange.shape,
  ...Selected.shape,
  status: z.enum([...TRANSFER_STATUSES, "all"]).default("all"),
  /** Only those that wait for approval. */
  approval: z.literal("required").optional(),
  /** To the account with this number, also while they are being accepted. */
  account_number: AccountNumber.optional(),
  bank_code: BankCode.optional(),
  search: Search,
});

export const browseTransfers = request({
  subject: "payments.transfer.browse",
  callers: ["dashboard"],
  meaning: "Transfers of one merchant and mode, newest first, without their metadata.",
  input: TransferFilters.extend(Browse.shape),
  output: browseOf(Transfer.omit({ metadata: true })),
});

export const sumTransfers = request({
  subject: "payments.transfer.sum",
  callers: ["dashboard"],
  meaning: "How many transfers match the filters of the list, and their sum; null above 10,000, which are not counted.",
  input: TransferFilters,
  output: totalsOf({ amount: Naira }),
});

export const showTransfer = request({
  subject: "payments.transfer.show",
  callers: ["dashboard"],
  meaning: "One transfer with the times of its steps, and who ordered it.",
  input: byScope.extend({ reference: z.string().max(100) }),
  output: z.object({
    transfer: Transfer,
    sent_at: Instant.nullable(),
    reversed_at: Instant.nullable(),
    /** The key or the member; null where that was not recorded. */
    ordered_by: Actor.nullable(),
    /** Why it is not sent to the bank now. */
    held_for: z.enum(HOLDS).nullable(),
    /** The second person's decision; null if it needs none. */
    approval: z.object({ state: z.enum(TRANSFER_APPROVALS), by: Actor.nullable(), at: Instant.nullable() }).nullable(),
  }),
});

const aTransfer = byScope.extend({ reference: z.string().max(100) });

export const approveTransfer = request({
  subject: "payments.transfer.approve",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Approve a transfer above the merchant's threshold, as a second person: then it is sent. In live mode the person must have been allowed to approve for a day.",
  input: aTransfer.extend({
    /** Since when the person has had a role that may approve, without interruption. */
    approving_since: Instant,
  }),
  output: z.object({ transfer: Transfer }),
});

export const declineTransfer = request({
  subject: "payments.transfer.decline",
  callers: ["dashboard"],
  sealed: "orders",
  meaning: "Decline a transfer that waits for approval: it fails, and its money is returned.",
  input: aTransfer,
  output: z.object({ transfer: Transfer }),
});

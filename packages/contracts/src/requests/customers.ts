import { z } from "zod";
import { Browse, browseOf, Search, Selected, Span } from "../browse.ts";
import { AccountNumber, CustomerReference, Instant, Name, PositiveNaira, ReferenceQuery } from "../fields.ts";
import { CustomerAccount } from "../merchant-api/customer-accounts.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** Customer accounts and inbound transfers, for the dashboard. */

export const browseCustomerAccounts = request({
  subject: "accounts.customer_account.browse",
  callers: ["dashboard"],
  meaning: "Customer accounts of one merchant and mode, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Span.shape,
    ...Selected.shape,
    status: z.enum(["active", "retired", "all"]).default("all"),
    search: Search,
  }),
  output: browseOf(CustomerAccount.omit({ metadata: true }).extend({ retired_at: Instant.nullable() })),
});

export const getInboundTransfer = request({
  subject: "accounts.transfer.get",
  callers: ["dashboard"],
  meaning: "One inbound transfer with its intake and the stages it has passed.",
  input: byScope.extend({ intake_id: ReferenceQuery }),
  output: z.object({
    bank_transfer_id: z.string(),
    narration: z.string().nullable(),
    account_retired: z.boolean(),
    /** An operator allocated it to the merchant; it was paid into an account without an owner. */
    allocated_at: Instant.nullable(),
    paid_at: Instant,
    received_at: Instant,
    completed_at: Instant.nullable(),
    /** The NIP session id, where the bank reported it. */
    session_id: z.string().nullable().optional(),
  }),
});

export const countInboundExceptions = request({
  subject: "accounts.exceptions.count",
  callers: ["dashboard"],
  meaning: "How many of a merchant's transfers need an operator; each count stops at 100.",
  input: byScope,
  output: z.object({
    /** Reported twice with different contents; quarantined until the operator has asked the bank. */
    quarantined: z.int(),
    /** Not completed a minute after receipt. */
    unfinished: z.int(),
  }),
});

/** As at the bank door: any text that can be stored and displayed. */
const BankName = z
  .string()
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** A test bank transfer with a payment time in the past. */
const TestTransfer = z.object({
  /** The test bank's id: a repeat is the same transfer. */
  id: z.string().regex(/^[\w-]{1,60}$/),
  customer_reference: CustomerReference,
  amount: PositiveNaira,
  payer: z.object({ name: Name, account_number: AccountNumber, bank_name: BankName }),
  paid_at: Instant,
});

export const receiveTestTransfers = request({
  subject: "accounts.test_transfers.receive",
  callers: ["operator"],
  operator: "simulation",
  meaning:
    "Record test bank transfers with the given times, as the bank door does with real ones; the response follows the commit.",
  deadlineMs: 20_000,
  input: byScope.extend({ transfers: z.array(TestTransfer).min(1).max(200) }),
  output: z.object({
    accepted: z.int(),
    duplicates: z.int(),
    /** The id was already reported with another amount or customer: quarantined, and not credited. */
    quarantined: z.int(),
  }),
});

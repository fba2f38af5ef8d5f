import { z } from "zod";
import { Browse, browseOf, Search } from "../browse.ts";
import { AccountNumber, CustomerReference, Instant, Name, PositiveNaira, ReferenceQuery } from "../fields.ts";
import { CustomerAccount } from "../merchant-api/customer-accounts.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** Customer accounts and inbound transfers as people look at them. */

export const browseCustomerAccounts = request({
  subject: "accounts.customer_account.browse",
  callers: ["dashboard"],
  meaning: "Customer accounts of one merchant and mode, newest first; those sought in the order of their names.",
  input: byScope.extend({
    ...Browse.shape,
    status: z.enum(["active", "retired", "all"]).default("all"),
    /** A customer reference, an account number, or how a name begins. */
    search: Search,
  }),
  output: browseOf(CustomerAccount.extend({ retired_at: Instant.nullable() })),
});

export const getInboundTransfer = request({
  subject: "accounts.transfer.get",
  callers: ["dashboard"],
  meaning: "How one inbound transfer was taken in and went its way.",
  input: byScope.extend({ intake_id: ReferenceQuery }),
  output: z.object({
    bank_transfer_id: z.string(),
    narration: z.string().nullable(),
    account_retired: z.boolean(),
    /** An operator gave it to the merchant after it had come into an account without an owner. */
    allocated_at: Instant.nullable(),
    paid_at: Instant,
    received_at: Instant,
    completed_at: Instant.nullable(),
  }),
});

export const countInboundExceptions = request({
  subject: "accounts.exceptions.count",
  callers: ["dashboard"],
  meaning: "What of a merchant's money waits for a person, each counted to 100 at most.",
  input: byScope,
  output: z.object({
    /** Reported twice with different contents; held apart until the operator has asked the bank. */
    quarantined: z.int(),
    /** Not at the end of its path a minute after it came. */
    unfinished: z.int(),
  }),
});

/** As at the bank door: anything that can be stored and shown. */
const BankName = z
  .string()
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** A transfer of the test bank that was paid at some time in the past. */
const TestTransfer = z.object({
  /** The test bank's id: the same again is the same transfer. */
  id: z.string().regex(/^[\w-]{1,60}$/),
  customer_reference: CustomerReference,
  amount: PositiveNaira,
  payer: z.object({ name: Name, account_number: AccountNumber, bank_name: BankName }),
  paid_at: Instant,
});

export const receiveTestTransfers = request({
  subject: "accounts.test_transfers.receive",
  callers: ["operator"],
  meaning:
    "Take in transfers of the test bank with its own times, as the bank door does with real ones; answered when they are committed.",
  deadlineMs: 20_000,
  input: byScope.extend({ transfers: z.array(TestTransfer).min(1).max(200) }),
  output: z.object({
    accepted: z.int(),
    duplicates: z.int(),
    /** The id had come before with another amount or customer: held apart, and credited to no merchant. */
    quarantined: z.int(),
  }),
});

import { z } from "zod";
import { AccountNumber, CustomerReference, Id, Instant, Kobo, MerchantScope, Mode } from "../fields.ts";
import {
  CustomerAccount,
  CustomerAccountList,
  IssueCustomerAccount,
  ListCustomerAccounts,
} from "../merchant-api/customer-accounts.ts";
import { PlayScenario, ScenarioResult } from "../merchant-api/scenarios.ts";
import { SandboxPay, SimulatePayment, SimulationResult } from "../merchant-api/simulation.ts";
import { request } from "../message.ts";
import { AuditPart } from "./audit.ts";
import { byMerchant, byScope } from "./merchant.ts";

const byCustomer = byMerchant.extend({ customer_reference: CustomerReference });

export const issueCustomerAccount = request({
  subject: "accounts.customer_account.issue",
  callers: ["gateway", "operator"],
  operator: { action: "customer.issued", detail: ["customer_reference"] },
  meaning: "Issue a customer's account, or return the existing one.",
  deadlineMs: 12_000,
  input: byMerchant.extend(IssueCustomerAccount.shape),
  output: z.object({ account: CustomerAccount, created: z.boolean() }),
});

export const getCustomerAccount = request({
  subject: "accounts.customer_account.get",
  callers: ["gateway", "dashboard", "payments"],
  meaning: "A customer's account.",
  input: byCustomer,
  output: CustomerAccount,
});

export const listCustomerAccounts = request({
  subject: "accounts.customer_account.list",
  callers: ["gateway"],
  meaning: "The customer accounts of one merchant and mode, newest first.",
  input: byMerchant.extend(ListCustomerAccounts.shape),
  output: CustomerAccountList,
});

export const retireCustomerAccount = request({
  subject: "accounts.customer_account.retire",
  callers: ["dashboard", "operator"],
  operator: { action: "customer.retired", detail: ["customer_reference"] },
  meaning: "Retire an account permanently; money that still arrives is credited and flagged.",
  input: z.object({ merchant: MerchantScope, customer_reference: CustomerReference }),
  output: CustomerAccount,
});

export const simulatePayment = request({
  subject: "accounts.payment.simulate",
  callers: ["gateway", "dashboard"],
  meaning: "Simulate a transfer into a customer's account; test money takes the same path as real money.",
  deadlineMs: 15_000,
  input: byCustomer.extend(SimulatePayment.shape),
  output: SimulationResult,
});

export const issueCollectionAccount = request({
  subject: "accounts.collection_account.issue",
  callers: ["payments"],
  meaning: "The n-th collection account of a merchant and mode, issued on first use.",
  deadlineMs: 12_000,
  input: byMerchant.extend({ position: z.int().min(1).max(10_000) }),
  output: z.object({
    position: z.int(),
    account_number: AccountNumber,
    account_name: z.string(),
    bank_name: z.string(),
  }),
});

export const sandboxPay = request({
  subject: "accounts.sandbox.pay",
  callers: ["gateway", "checkout", "dashboard", "operator"],
  operator: "simulation",
  meaning: "Simulate a transfer into a collection account, with or without an open session.",
  deadlineMs: 15_000,
  input: byMerchant.extend(SandboxPay.shape),
  output: SimulationResult,
});

export const playScenario = request({
  subject: "accounts.sandbox.play_scenario",
  callers: ["gateway", "dashboard"],
  meaning: "Play a fault of the partner bank or of the merchant's server with test money. A repeat is the same run.",
  deadlineMs: 18_000,
  input: byScope.extend(PlayScenario.shape),
  output: ScenarioResult,
});

export const listInFlight = request({
  subject: "accounts.transfers.under_way",
  callers: ["payments"],
  meaning: "Which of these accounts received a transfer in their time span that is still in flight.",
  input: z.object({
    /** Each has a key of the caller's and covers what was received in [from, before). */
    spans: z
      .array(z.object({ key: Id, mode: Mode, account_number: AccountNumber, from: Instant, before: Instant }))
      .max(500),
  }),
  output: z.object({ under_way: z.array(Id) }),
});

const RedriveId = z.string().regex(/^\d{1,18}$/);

/** The progress of a redrive of one mode: everything received before `reached` has been republished. */
const Redrive = z.object({
  id: RedriveId,
  mode: Mode,
  from: Instant,
  to: Instant,
  reached: Instant,
  redriven: z.int(),
  started_at: Instant,
  finished_at: Instant.nullable(),
});

export const redriveTransfers = request({
  subject: "accounts.transfers.redrive",
  callers: ["operator", "ledger", "payments"],
  operator: { action: "transfers.redriven", detail: ["from", "to", "mode"] },
  meaning:
    "Start to republish every transfer received in [from, to), completed ones included, as fast as the consumers process them. The same range, while its redrive is running, is the same redrive.",
  input: z.object({ from: Instant, to: Instant, mode: Mode.optional() }),
  output: z.object({ redrives: z.array(Redrive) }),
});

export const getRedrives = request({
  subject: "accounts.redrives.get",
  callers: ["operator"],
  operator: "read",
  meaning: "The progress of redrives.",
  input: z.object({ ids: z.array(RedriveId).max(100) }),
  output: z.object({ redrives: z.array(Redrive) }),
});

export const allocateTransfer = request({
  subject: "accounts.transfer.allocate",
  callers: ["operator"],
  operator: { action: "transfer.allocated", detail: ["intake_id", "customer_reference"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Allocate money in suspense to the customer account it was meant for; without a customer, to the merchant whose collection account received it.",
  input: z.object({ intake_id: Id, merchant: MerchantScope, customer_reference: CustomerReference.optional() }),
  output: z.object({ intake_id: Id, allocated: z.boolean() }),
});

/** At most this many of each kind. */
export const EXCEPTIONS_MAX = 100;

export const listExceptions = request({
  subject: "accounts.exceptions.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Transfers that need an operator: quarantined in live mode, unallocated, or incomplete for over a minute.",
  input: z.object({}),
  output: z.object({
    quarantined: z.array(
      z.object({
        bank_transfer_id: z.string(),
        /** The partner that reported it. */
        bank: z.string().optional(),
        mode: Mode,
        reason: z.string(),
        received_at: Instant,
        /** What was reported, into which account and how often; absent from an earlier release, as what follows. */
        account_number: z.string().optional(),
        amount_kobo: z.string().optional(),
        /** As the bank names it; the amount is in its hundredths. */
        currency: z.string().optional(),
        times: z.int().optional(),
        /** The account's owner: null if it has none, or if no customer does. */
        merchant_id: Id.nullable().optional(),
        customer_reference: z.string().nullable().optional(),
      }),
    ),
    unallocated: z.array(
      z.object({
        intake_id: Id,
        bank: z.string().optional(),
        mode: Mode,
        account_number: z.string(),
        amount_kobo: z.string(),
        received_at: Instant,
      }),
    ),
    unfinished: z.array(z.object({ intake_id: Id, mode: Mode, drives: z.int(), received_at: Instant })),
    /** What banks took back and is not booked for over a minute. It waits for its transfer, or is on its way. */
    reversals: z
      .array(
        z.object({
          intake_id: Id,
          bank_transfer_id: z.string(),
          mode: Mode,
          waits_for_transfer: z.boolean(),
          amount_kobo: z.string(),
          received_at: Instant,
        }),
      )
      .optional(),
  }),
});

/** Collections, or money in suspense, received in one minute. */
const Minute = { mode: Mode, kind: z.enum(["collection", "suspense"]), minute: Instant };
const Count = z.object({ count: z.int(), sum: Kobo });
const DifferingMinute = z.object({
  ...Minute,
  accounts: Count,
  ledger: Count,
  payments: Count.nullable(),
  webhooks: Count.nullable(),
  /** `count`, `sum`, or the digest that differs. */
  what: z.array(z.string()),
  /** The transfers that differ, as far as they could be identified. */
  transfers: z.array(
    z.object({ intake_id: z.string(), merchant_id: z.string().nullable(), what: z.array(z.string()) }),
  ),
});

export const getCompletenessProof = request({
  subject: "accounts.audit.get",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The latest comparison of every service's records, by mode and minute of receipt.",
  input: z.object({}),
  output: z.object({
    proven_at: Instant.nullable(),
    /** Everything received in [from, to) was compared seconds after receipt. */
    from: Instant.nullable(),
    to: Instant.nullable(),
    /** Where the records of a service differ from those of accounts; what is in flight is not a difference. */
    differences: z.array(DifferingMinute),
    /** Inbound transfers that have not completed; `overdue` counts those that should have by now. */
    unfinished: z.array(z.object({ mode: Mode, count: z.int(), overdue: z.int(), oldest_received_at: Instant })),
    /** Each part of the audit with its coverage and its age. */
    parts: z.array(AuditPart),
  }),
});

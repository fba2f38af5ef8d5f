import { z } from "zod";
import { CustomerReference, Id, Instant, MerchantScope, Mode, Name } from "./fields.ts";
import {
  Balance,
  CustomerAccount,
  CustomerAccountList,
  IssueCustomerAccount,
  ListCustomerAccounts,
  SimulatePayment,
  SimulationResult,
} from "./merchant-api.ts";
import { request, SERVICES } from "./message.ts";

/** Questions and commands on the bus. What the gateway offers to merchants is these requests, made over HTTP. */

/** Whoever calls, as the gateway recognised the key. */
export const Merchant = MerchantScope.extend({ name: z.string() });
export type Merchant = z.infer<typeof Merchant>;

const byMerchant = z.object({ merchant: Merchant });
const byCustomer = byMerchant.extend({ customer_reference: CustomerReference });

// ---- accounts ----

export const issueCustomerAccount = request({
  subject: "accounts.customer_account.issue",
  meaning: "Issue the one account of a customer, or answer with the one there is.",
  deadlineMs: 12_000,
  input: byMerchant.extend(IssueCustomerAccount.shape),
  output: z.object({ account: CustomerAccount, created: z.boolean() }),
});

export const getCustomerAccount = request({
  subject: "accounts.customer_account.get",
  meaning: "The account of one customer.",
  input: byCustomer,
  output: CustomerAccount,
});

export const listCustomerAccounts = request({
  subject: "accounts.customer_account.list",
  meaning: "Accounts of one merchant and mode, newest first.",
  input: byMerchant.extend(ListCustomerAccounts.shape),
  output: CustomerAccountList,
});

export const retireCustomerAccount = request({
  subject: "accounts.customer_account.retire",
  meaning: "Retire an account for ever; money that still arrives is credited and flagged.",
  input: z.object({ merchant: MerchantScope, customer_reference: CustomerReference }),
  output: CustomerAccount,
});

export const simulatePayment = request({
  subject: "accounts.payment.simulate",
  meaning: "Let test money arrive in one customer's account, by the path real money takes.",
  deadlineMs: 15_000,
  input: byCustomer.extend(SimulatePayment.shape),
  output: SimulationResult,
});

export const redriveTransfers = request({
  subject: "accounts.transfers.redrive",
  meaning: "Send every transfer received in [from, to) round the path again, completed ones too.",
  deadlineMs: 60_000,
  input: z.object({ from: Instant, to: Instant }),
  output: z.object({ redriven: z.int() }),
});

export const allocateTransfer = request({
  subject: "accounts.transfer.allocate",
  meaning: "Give money that stands in suspense to the customer account it was meant for.",
  input: z.object({ intake_id: Id, merchant: MerchantScope, customer_reference: CustomerReference }),
  output: z.object({ intake_id: Id, allocated: z.boolean() }),
});

export const listExceptions = request({
  subject: "accounts.exceptions.list",
  meaning: "Transfers a person must look at: quarantined, unallocated, and not completed for over a minute.",
  input: z.object({}),
  output: z.object({
    quarantined: z.array(
      z.object({ bank_transfer_id: z.string(), mode: Mode, reason: z.string(), received_at: Instant }),
    ),
    unallocated: z.array(
      z.object({
        intake_id: Id,
        mode: Mode,
        account_number: z.string(),
        amount_kobo: z.string(),
        received_at: Instant,
      }),
    ),
    unfinished: z.array(z.object({ intake_id: Id, mode: Mode, drives: z.int(), received_at: Instant })),
  }),
});

// ---- ledger ----

export const getBalance = request({
  subject: "ledger.balance.get",
  meaning: "Collected and Settled of one merchant and mode, read in one statement.",
  input: z.object({ merchant: MerchantScope }),
  output: Balance,
});

// ---- webhooks ----

const Endpoint = z.object({ url: z.url().nullable(), secret: z.string() });

export const setWebhookEndpoint = request({
  subject: "webhooks.endpoint.set",
  meaning:
    "Set the webhook URL of a merchant and mode; the signing secret is made the first time. Without a URL only the secret is made.",
  input: z.object({ merchant: MerchantScope, url: z.string().max(2_000).nullable() }),
  output: Endpoint,
});

export const getWebhookEndpoint = request({
  subject: "webhooks.endpoint.get",
  meaning: "The webhook URL and signing secret of a merchant and mode.",
  input: z.object({ merchant: MerchantScope }),
  output: Endpoint,
});

// ---- gateway ----

const hourly = z.int().min(1).max(1_000_000);
export const RateLimits = z.object({ accounts: hourly, reads: hourly });
const KeyKind = z.enum(["secret", "public"]);

export const createMerchant = request({
  subject: "gateway.merchant.create",
  meaning: "Create a merchant with its test keys. The secret key is in this answer and nowhere else.",
  input: z.object({ name: Name, rate_limits: RateLimits.partial().optional() }),
  output: z.object({ merchant_id: Id, name: z.string(), keys: z.object({ sk_test: z.string(), pk_test: z.string() }) }),
});

export const verifyMerchant = request({
  subject: "gateway.merchant.verify",
  meaning: "Record that the business is verified and make its live keys, once.",
  input: z.object({ merchant_id: Id }),
  output: z.object({ merchant_id: Id, name: z.string(), keys: z.object({ sk_live: z.string(), pk_live: z.string() }) }),
});

export const showMerchant = request({
  subject: "gateway.merchant.show",
  meaning: "A merchant with its limits and its keys, masked.",
  input: z.object({ merchant_id: Id }),
  output: z.object({
    merchant_id: Id,
    name: z.string(),
    verified_at: Instant.nullable(),
    rate_limits: RateLimits,
    keys: z.array(
      z.object({
        kind: KeyKind,
        mode: Mode,
        prefix: z.string(),
        last_four: z.string(),
        created_at: Instant,
        expires_at: Instant.nullable(),
      }),
    ),
    created_at: Instant,
  }),
});

export const rollKey = request({
  subject: "gateway.key.roll",
  meaning: "Make a new key of a kind and mode; the old one stays valid for the overlap.",
  input: z.object({ merchant_id: Id, mode: Mode, kind: KeyKind, overlap_hours: z.number().min(0).max(72) }),
  output: z.object({ key: z.string(), old_keys_expire_at: Instant }),
});

// ---- dead letters: the same two requests for every service that consumes ----

const DeadLetter = z.object({
  consumer: z.string(),
  natural_key: z.string(),
  error: z.string(),
  times: z.int(),
  last_at: Instant,
});

export const deadLetterRequests = Object.fromEntries(
  SERVICES.filter((service) => service !== "gateway").map((service) => [
    service,
    {
      list: request({
        subject: `${service}.dead_letters.list`,
        meaning: "Messages that failed on their data, newest first.",
        input: z.object({}),
        output: z.object({ dead_letters: z.array(DeadLetter) }),
      }),
      retry: request({
        subject: `${service}.dead_letters.retry`,
        meaning: "Publish dead letters again and forget them; all of them, or the one with this key.",
        deadlineMs: 30_000,
        input: z.object({ natural_key: z.string().optional() }),
        output: z.object({ retried: z.int() }),
      }),
    },
  ]),
);

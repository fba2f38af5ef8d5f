import { z } from "zod";
import {
  AccountNumber,
  Id,
  Instant,
  Kobo,
  MerchantScope,
  Mode,
  Naira,
  NewMerchantReference,
  PositiveNaira,
} from "../fields.ts";
import { OpenCheckout, OpenedCheckout, PayerDetails } from "../merchant-api/checkout.ts";
import { CreatedPayment, ListPayments, OpenPayment, Payment, PaymentList } from "../merchant-api/payments.ts";
import {
  BankList,
  CreateTransfer,
  ListTransfers,
  ResolveAccount,
  ResolvedAccount,
  Transfer,
  TransferList,
} from "../merchant-api/transfers.ts";
import { request } from "../message.ts";
import { SessionSnapshot } from "../session-snapshot.ts";
import { AuditPart } from "./audit.ts";
import { ShownBranding } from "./business-profile.ts";
import { ClientTag } from "./client-tag.ts";
import { byMerchant } from "./merchant.ts";

// ---- sessions ----

export const openPayment = request({
  subject: "payments.session.open",
  callers: ["gateway", "dashboard", "operator"],
  operator: { action: "session.created", detail: ["reference", "amount", "customer_reference"] },
  meaning: "Create a session for a merchant's server, or return the one created under the same reference.",
  deadlineMs: 14_000,
  input: byMerchant.extend(OpenPayment.shape),
  output: z.object({ payment: CreatedPayment, created: z.boolean() }),
});

export const findOpenedPayment = request({
  subject: "payments.session.find_opened",
  callers: ["gateway"],
  meaning: "The session that a merchant's server created under this reference.",
  input: byMerchant.extend({ reference: NewMerchantReference }),
  output: CreatedPayment,
});

export const openPublicPayment = request({
  subject: "payments.session.open_public",
  callers: ["checkout"],
  meaning: "The same for a browser with a public key; its references are a namespace of their own.",
  deadlineMs: 14_000,
  input: byMerchant.extend(OpenCheckout.omit({ proof: true }).shape),
  output: z.object({
    session: SessionSnapshot,
    merchant_reference: z.string().nullable(),
    checkout_url: z.url(),
    warnings: OpenedCheckout.shape.warnings,
    created: z.boolean(),
  }),
});

export const getPayment = request({
  subject: "payments.session.get",
  callers: ["gateway"],
  meaning: "One session of a merchant and mode with its collections.",
  input: byMerchant.extend({ reference: z.string().max(100) }),
  output: Payment,
});

export const listPayments = request({
  subject: "payments.session.list",
  callers: ["gateway"],
  meaning: "Sessions of one merchant and mode with their collections, newest first.",
  input: byMerchant.extend(ListPayments.shape),
  output: PaymentList,
});

export const cancelPayment = request({
  subject: "payments.session.cancel",
  callers: ["gateway"],
  meaning:
    "End a pending session now, as if it had expired; a transfer that arrives within its watch window is still matched to it. A repeat returns the same.",
  input: byMerchant.extend({ reference: z.string().max(100) }),
  output: Payment,
});

export const readSessions = request({
  subject: "payments.sessions.read",
  callers: ["checkout"],
  meaning:
    "The current state of many sessions, by reference and across merchants, and how their merchants show themselves; unknown ones are omitted.",
  input: z.object({ references: z.array(Id).max(500) }),
  output: z.object({ sessions: z.array(SessionSnapshot.extend({ branding: ShownBranding })) }),
});

export const givePayerDetails = request({
  subject: "payments.session.give_details",
  callers: ["checkout"],
  meaning:
    "Store the payer of an anonymous session, which gets its account and exact amount if it has none. Repeating the same values is safe; different ones are refused.",
  deadlineMs: 14_000,
  input: PayerDetails.extend({ reference: Id, client: ClientTag }),
  output: SessionSnapshot,
});

export const reportSent = request({
  subject: "payments.session.report_sent",
  callers: ["checkout"],
  meaning: "The payer reports that the transfer was sent: pending → processing, and the expiry is extended, once.",
  input: z.object({ reference: Id }),
  output: SessionSnapshot,
});

/** The fields that a simulation needs of the session to pay. */
const PayableSession = z.object({
  reference: Id,
  /** Null until the payer's details are given. */
  account_number: AccountNumber.nullable(),
  amount: Naira,
  amount_missing: Naira,
  is_open: z.boolean(),
});

export const findPayableSession = request({
  subject: "payments.session.find_payable",
  callers: ["accounts"],
  meaning:
    "The session with this reference; or else the newest open one on this account (on request, one that can still expire first); or else the newest open one with exactly this amount on a collection account.",
  input: z.object({
    merchant: MerchantScope,
    by: z.union([
      z.object({ reference: z.string() }),
      z.object({ account_number: AccountNumber, to_expire: z.boolean() }),
      z.object({ amount: PositiveNaira }),
    ]),
  }),
  output: z.object({ session: PayableSession.nullable() }),
});

export const expireSession = request({
  subject: "payments.session.expire",
  callers: ["accounts"],
  meaning: "Close an open test session as if it had expired.",
  input: z.object({ merchant: MerchantScope, reference: Id }),
  output: z.object({ expired: z.boolean() }),
});

const AmountLimit = z.object({ merchant_id: Id, amount: PositiveNaira });
export const getAmountLimit = request({
  subject: "payments.amount_limit.get",
  callers: ["dashboard"],
  meaning: "The largest amount of one session of a merchant, its own or the default.",
  input: AmountLimit.pick({ merchant_id: true }),
  output: AmountLimit,
});

export const setAmountLimit = request({
  subject: "payments.amount_limit.set",
  callers: ["operator"],
  operator: { action: "amount_limit.set", detail: ["amount"], fourEyes: true },
  meaning: "Set the largest amount of one session of a merchant, instead of ₦5,000,000.",
  input: AmountLimit,
  output: AmountLimit,
});

export const openCryptoPayment = request({
  subject: "payments.crypto.open",
  callers: ["gateway"],
  meaning: "Always refused with crypto_unavailable: USDT needs an exchange partner first.",
  input: byMerchant.extend(OpenPayment.shape),
  output: z.object({}),
});

// ---- transfers ----

export const listBanks = request({
  subject: "payments.banks.list",
  callers: ["gateway", "dashboard"],
  meaning: "The banks that transfers can be sent to; in test mode the test bank is first.",
  input: byMerchant,
  output: BankList,
});

export const resolveAccount = request({
  subject: "payments.account.resolve",
  callers: ["gateway", "dashboard"],
  meaning: "The name of an account's holder, from the bank.",
  deadlineMs: 12_000,
  input: byMerchant.extend(ResolveAccount.shape),
  output: ResolvedAccount,
});

export const createTransfer = request({
  subject: "payments.transfer.create",
  callers: ["gateway", "dashboard", "operator"],
  operator: { action: "transfer.made", detail: ["reference", "amount", "bank_code"], fourEyes: true },
  sealed: "orders",
  meaning: "Send money from Settled to a bank account, once for each reference.",
  deadlineMs: 14_000,
  input: byMerchant.extend(CreateTransfer.shape),
  output: z.object({ transfer: Transfer, created: z.boolean() }),
});

export const getTransfer = request({
  subject: "payments.transfer.get",
  callers: ["gateway"],
  meaning: "One transfer of a merchant and mode.",
  input: byMerchant.extend({ reference: z.string().max(100) }),
  output: Transfer,
});

export const listTransfers = request({
  subject: "payments.transfer.list",
  callers: ["gateway"],
  meaning: "Transfers of one merchant and mode, newest first.",
  input: byMerchant.extend(ListTransfers.shape),
  output: TransferList,
});

export const listUnfinished = request({
  subject: "payments.audit.unfinished",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Transfers that are not final or whose events are not recorded yet, and open sessions past their expiry.",
  input: z.object({}),
  output: z.object({
    transfers: z.array(
      z.object({ mode: Mode, step: z.string(), count: z.int(), sum: Kobo, oldest_created_at: Instant }),
    ),
    sessions: z.array(z.object({ mode: Mode, count: z.int(), oldest_expires_at: Instant })),
    /** Payments' audit of itself and against the ledger, each part with its age. */
    parts: z.array(AuditPart),
  }),
});

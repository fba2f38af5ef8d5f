import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, MerchantScope, Mode, Naira, PositiveNaira } from "../fields.ts";
import { OpenCheckout, OpenPayment, PayerDetails, Payment } from "../merchant-api/payments.ts";
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
import { byMerchant } from "./merchant.ts";

// ---- sessions ----

export const openPayment = request({
  subject: "payments.session.open",
  callers: ["gateway", "dashboard", "operator"],
  meaning: "Create a session for a merchant's server, or answer with the one created under the same reference.",
  deadlineMs: 14_000,
  input: byMerchant.extend(OpenPayment.shape),
  output: z.object({ payment: Payment, created: z.boolean() }),
});

export const openPublicPayment = request({
  subject: "payments.session.open_public",
  callers: ["checkout"],
  meaning: "The same for a browser with a public key; its references are a namespace of their own.",
  deadlineMs: 14_000,
  input: byMerchant.extend(OpenCheckout.shape),
  output: z.object({
    session: SessionSnapshot,
    merchant_reference: z.string().nullable(),
    checkout_url: z.url(),
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

export const readSessions = request({
  subject: "payments.sessions.read",
  callers: ["checkout"],
  meaning: "Many sessions as they stand, by reference, whosever they are; unknown ones are left out.",
  input: z.object({ references: z.array(Id).max(500) }),
  output: z.object({ sessions: z.array(SessionSnapshot) }),
});

export const givePayerDetails = request({
  subject: "payments.session.give_details",
  callers: ["checkout"],
  meaning: "Who pays an anonymous session. The same values repeat safely, others are refused.",
  input: PayerDetails.extend({ reference: Id }),
  output: SessionSnapshot,
});

export const reportSent = request({
  subject: "payments.session.report_sent",
  callers: ["checkout"],
  meaning: "The payer says that the money is sent: pending → processing, and expiry waits, once.",
  input: z.object({ reference: Id }),
  output: SessionSnapshot,
});

/** What a simulation needs to know of the session it is to pay. */
const PayableSession = z.object({
  reference: Id,
  account_number: AccountNumber,
  amount: Naira,
  amount_missing: Naira,
  is_open: z.boolean(),
});

export const findPayableSession = request({
  subject: "payments.session.find_payable",
  callers: ["accounts"],
  meaning:
    "The session of this reference; or else the newest open one on this account, one that can still expire first if asked for; or else the newest open one of exactly this amount on a collection account.",
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
  meaning: "Close an open test session as if its time were up.",
  input: z.object({ merchant: MerchantScope, reference: Id }),
  output: z.object({ expired: z.boolean() }),
});

const AmountLimit = z.object({ merchant_id: Id, amount: PositiveNaira });
export const setAmountLimit = request({
  subject: "payments.amount_limit.set",
  callers: ["operator"],
  meaning: "The largest amount a merchant may ask for in one session, instead of ₦5,000,000.",
  input: AmountLimit,
  output: AmountLimit,
});

export const openCryptoPayment = request({
  subject: "payments.crypto.open",
  callers: ["gateway"],
  meaning: "Refused with crypto_unavailable: USDT waits for an exchange partner.",
  input: byMerchant.extend(OpenPayment.shape),
  output: z.object({}),
});

// ---- transfers ----

export const listBanks = request({
  subject: "payments.banks.list",
  callers: ["gateway", "dashboard"],
  meaning: "Banks that money can be sent to; in test mode the test bank comes first.",
  input: byMerchant,
  output: BankList,
});

export const resolveAccount = request({
  subject: "payments.account.resolve",
  callers: ["gateway", "dashboard"],
  meaning: "In whose name an account stands, asked of the bank.",
  deadlineMs: 12_000,
  input: byMerchant.extend(ResolveAccount.shape),
  output: ResolvedAccount,
});

export const createTransfer = request({
  subject: "payments.transfer.create",
  callers: ["gateway", "dashboard", "operator"],
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
  meaning: "Transfers that have not ended or been reported yet, and sessions past their time that are still open.",
  input: z.object({}),
  output: z.object({
    transfers: z.array(
      z.object({ mode: Mode, step: z.string(), count: z.int(), sum: Kobo, oldest_created_at: Instant }),
    ),
    sessions: z.array(z.object({ mode: Mode, count: z.int(), oldest_expires_at: Instant })),
    /** What payments proves of itself and against the ledger, each part with how old it is. */
    parts: z.array(AuditPart),
  }),
});

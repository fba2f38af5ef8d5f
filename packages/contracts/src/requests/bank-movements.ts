import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, Mode, PositiveKobo } from "../fields.ts";
import { request } from "../message.ts";
import { BankTransferId, LineId } from "./statement-lines.ts";
import { BankId, Reason } from "./statements.ts";

/** What statements asks of the services that move money. */

export const BANK_MOVEMENTS_PAGE = 2_000;

export const listBankMovements = request({
  subject: "accounts.bank_movements.list",
  callers: ["statements"],
  meaning:
    "The transfers that partner banks reported, by the time of receipt, with those of accounts without an owner, and what they took back.",
  deadlineMs: 15_000,
  input: z.object({
    mode: Mode,
    after: z.object({ at: Instant, key: z.string() }),
    /** Whether a transfer is listed again when its settlement is reported, by that time. The release before does without it. */
    settled: z.boolean().optional(),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        intake_id: Id,
        bank: z.string(),
        bank_transfer_id: z.string(),
        /** What the payer sent; negative for what the bank took back of it. */
        amount: Kobo,
        /** What the bank kept of it, with the sign of the amount. Absent where the bank does not say. */
        bank_fee: Kobo.nullish(),
        bank_vat: Kobo.nullish(),
        session_id: z.string().nullish(),
        settlement_id: z.string().nullish(),
        paid_at: Instant,
        /** When it came into our books. */
        received_at: Instant,
        /** The place in the list: that time, or when its settlement was reported. The release before has only the former. */
        listed_at: Instant.optional(),
      }),
    ),
  }),
});

export const getBankBalances = request({
  subject: "ledger.bank_balances.get",
  callers: ["statements"],
  meaning:
    "What the ledger had on the bank, in all its shards, just before these instants, without the charges and the own funds that closed days have established.",
  deadlineMs: 15_000,
  input: z.object({ mode: Mode, before: z.array(Instant).min(1).max(10) }),
  output: z.object({
    balances: z.array(Kobo),
    /** Those charges, which are of other days than the one on which they were booked. A ledger of the release before books none. */
    charges: z.array(Kobo).optional(),
    /** Those own funds, likewise. */
    own_funds: z.array(Kobo).optional(),
    /**
     * The balances with what was posted later than it was received, or completed, where it counts: each movement is on the day of its receipt or
     * completion. Of beginnings of days in Lagos. A ledger of the release before does not know them.
     */
    counted: z.array(Kobo).optional(),
    /** The ledger's self-audit as it stands: a day is not closed against a ledger that contradicts itself. A ledger of the release before says nothing of it. */
    audit: z
      .object({
        /** The oldest of its proofs: of the sums, of recent postings and of all. Null if one was never made. */
        proven_at: Instant.nullable(),
        differences: z.array(z.object({ what: z.string(), where: z.string() })),
      })
      .optional(),
  }),
});

export const getAccountOwner = request({
  subject: "accounts.account_owner.get",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "To whom a live transfer into an account at a bank is credited. Without an owner it goes to suspense.",
  input: z.object({ bank: BankId, account_number: AccountNumber }),
  output: z.object({
    owner: z
      .object({
        merchant_id: Id,
        account_name: z.string(),
        /** Null for an account of the merchant's own. */
        customer_reference: z.string().nullable(),
        customer_name: z.string().nullable(),
        /** It is credited all the same, and flagged. */
        is_retired: z.boolean(),
      })
      .nullable(),
  }),
});

export const findReceivedTransfers = request({
  subject: "accounts.transfer.find",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "Incoming transfers with all that their bank said of them, but for who paid: by our id, or live ones by an id of the bank.",
  input: z.object({
    by: z.union([
      z.object({ intake_id: Id }),
      z.object({ bank: BankId, bank_transfer_id: BankTransferId }),
      z.object({ bank: BankId, session_id: BankTransferId }),
    ]),
  }),
  output: z.object({
    /** Several only where a bank named one session twice. */
    transfers: z.array(
      z.object({
        ...{ intake_id: Id, mode: Mode, bank: z.string(), bank_transfer_id: z.string(), account_number: z.string() },
        /** What the payer sent; what the bank kept of it, and its VAT; and what the bank took back. */
        ...{ amount: Kobo, bank_fee: Kobo, bank_vat: Kobo, reversed: Kobo },
        session_id: z.string().nullable(),
        /** That of its report, or of the settlement that the bank reported later. */
        settlement_id: z.string().nullable(),
        /** Null while it is in suspense. */
        merchant_id: Id.nullable(),
        customer_reference: z.string().nullable(),
        /** The reference of its collection, once that is recorded. */
        reference: z.string().nullable(),
        paid_at: Instant,
        received_at: Instant,
        allocated_at: Instant.nullable(),
        completed_at: Instant.nullable(),
      }),
    ),
  }),
});

export const findPartnerTransfer = request({
  subject: "accounts.partner_transfer.find",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "What a partner bank says, asked by us, of a transfer into one of our accounts. Without an id only how it can be asked.",
  deadlineMs: 15_000,
  input: z.object({ bank: BankId, bank_transfer_id: BankTransferId.optional(), session_id: BankTransferId.optional() }),
  output: z.object({
    /** Empty for a partner that cannot be asked. */
    asked_by: z.array(z.enum(["bank_transfer_id", "session_id"])),
    /** Null if the partner does not know it, or was not asked. */
    transfer: z
      .object({
        bank_transfer_id: z.string(),
        account_number: z.string(),
        /** What the payer sent, and what of it reached our account. */
        amount: Kobo,
        arrived: Kobo,
        session_id: z.string().nullable(),
        payer_name: z.string(),
        paid_at: Instant.nullable(),
      })
      .nullable(),
  }),
});

export const reportMissedTransfer = request({
  subject: "accounts.missed_transfer.report",
  callers: ["operator"],
  operator: {
    action: "transfer.reported",
    detail: ["line", "bank_transfer_id", "account_number", "amount"],
    result: ["intake_id", "status"],
    fourEyes: true,
  },
  operatorPages: true,
  meaning:
    "Report a transfer that a line of a partner's statement shows and that was never notified, under the partner's own id of it: a notification that still comes is the same transfer. A partner that can be asked has to confirm it, and what it says is credited.",
  deadlineMs: 30_000,
  input: z.object({
    line: LineId,
    bank_transfer_id: BankTransferId,
    /** The account that was paid into: a customer's, or a merchant's. */
    account_number: AccountNumber,
    /** What the payer sent. */
    amount: PositiveKobo,
    payer_name: z.string().max(200),
    /** Null if the line says it. */
    paid_at: Instant.nullable(),
  }),
  output: z.object({
    intake_id: Id,
    status: z.enum(["accepted", "duplicate", "quarantined", "unallocated"]),
  }),
});

export const reportMissedReversal = request({
  subject: "accounts.missed_reversal.report",
  callers: ["operator"],
  operator: {
    action: "reversal.reported",
    detail: ["line", "intake_id", "amount", "despite_payouts", "reason"],
    result: ["reversal_id", "status"],
    fourEyes: true,
  },
  operatorPages: true,
  meaning:
    "Report that a partner took a transfer back, or a part of it, as a line of its statement shows and it never reported: it is booked as a reversal that the partner reports. A report that still comes is kept for a person.",
  deadlineMs: 30_000,
  input: z.object({
    /** An outgoing one of the partner's account, in no match. */
    line: LineId,
    /** Of the transfer. */
    intake_id: Id,
    /** What is taken back of it: that of the line, or all that is left if the bank gave back its charges. */
    amount: PositiveKobo,
    /** The payout that the line may be, by its amount and account, and is not by the word of the bank's staff. */
    despite_payouts: z.array(Id).max(20).nullish(),
    reason: Reason,
  }),
  output: z.object({ reversal_id: Id, status: z.enum(["accepted", "duplicate"]) }),
});

export const withdrawMissedTransfer = request({
  subject: "accounts.missed_transfer.withdraw",
  callers: ["operator"],
  operator: {
    action: "transfer.report_withdrawn",
    detail: ["line", "bank_transfer_id", "reason"],
    fourEyes: true,
  },
  operatorPages: true,
  meaning:
    "Take back the offer of a line under a wrong id, of which nothing was credited: the line can be offered again. What was credited stays.",
  deadlineMs: 20_000,
  input: z.object({ line: LineId, bank_transfer_id: BankTransferId, reason: Reason }),
  output: z.object({}),
});

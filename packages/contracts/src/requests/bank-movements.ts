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
  input: z.object({ mode: Mode, after: z.object({ at: Instant, key: z.string() }) }),
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
      }),
    ),
  }),
});

export const getBankBalances = request({
  subject: "ledger.bank_balances.get",
  callers: ["statements"],
  meaning: "What the ledger had on the bank, in all its shards, just before these instants.",
  deadlineMs: 15_000,
  input: z.object({ mode: Mode, before: z.array(Instant).min(1).max(10) }),
  output: z.object({ balances: z.array(Kobo) }),
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
    "Report a transfer that a line of a partner's statement shows and that was never notified, under the partner's own id of it: a notification that still comes is the same transfer.",
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

import { z } from "zod";
import {
  AccountNumber,
  BankCode,
  Id,
  Instant,
  Kobo,
  MerchantReference,
  MerchantScope,
  Metadata,
  Mode,
  Naira,
  NairaBalance,
  PositiveKobo,
} from "../fields.ts";
import { Balance } from "../merchant-api/balance.ts";
import { request } from "../message.ts";
import { AuditPart } from "./audit.ts";

export const getBalance = request({
  subject: "ledger.balance.get",
  callers: ["gateway", "payments", "dashboard"],
  meaning: "Collected and Settled of one merchant and mode, read in one statement.",
  input: z.object({ merchant: MerchantScope }),
  output: Balance,
});

/** The ledger stores a transfer's reserve and outcome under the transfer's own id: a repeat always gets the same decision. */
const OutboundTransfer = z.object({ transfer_id: Id, merchant: MerchantScope, amount: PositiveKobo });

/** The merchant's order. The ledger only stores it with the reserve, so that payments can restore it. */
export const OutboundOrder = z.object({
  merchant_reference: MerchantReference,
  bank_code: BankCode,
  bank_name: z.string(),
  account_number: AccountNumber,
  account_name: z.string(),
  narration: z.string().nullable(),
  created_at: Instant,
  /** Absent from an order that an earlier release took. */
  metadata: Metadata.optional(),
});
export type OutboundOrder = z.infer<typeof OutboundOrder>;

/** The settled balance is too low, or the amount is above what the merchant may pay out at once or in a day. */
export const PAYOUT_REFUSALS = ["balance", "transfer_limit", "day_limit"] as const;
export type PayoutRefusal = (typeof PAYOUT_REFUSALS)[number];

export const reserveTransfer = request({
  subject: "ledger.transfer.reserve",
  callers: ["payments"],
  sealed: "payouts",
  meaning:
    "Reserve a transfer's amount: settled → payouts. Refused when the settled balance is too low or the amount is above a limit of the merchant, and then permanently.",
  input: OutboundTransfer.extend({ order: OutboundOrder.optional() }),
  output: z.object({
    reserved: z.boolean(),
    /** Why it was not reserved. */
    refusal: z.enum(PAYOUT_REFUSALS).optional(),
    /** The settled balance that was too low. A repeat is refused without it. */
    settled: Kobo.optional(),
    /** The bank must not be called before a second person of the merchant has approved it. */
    approval_required: z.boolean().optional(),
  }),
});

export const completeTransfer = request({
  subject: "ledger.transfer.complete",
  callers: ["payments"],
  sealed: "payouts",
  meaning:
    "Book a transfer's outcome: success = payouts → bank, failed = back to settled, reversed = bank → settled. An outcome that contradicts an earlier one goes to suspense.",
  input: OutboundTransfer.extend({ outcome: z.enum(["success", "failed", "reversed"]) }),
  output: z.object({
    booked: z.enum(["as_told", "suspense"]),
    /** The end that counts: the one that was booked first. */
    first_end: z.enum(["success", "failed"]).optional(),
    /** When the outcome counts on a day of the bank's statement. The release before does not say. */
    counted_at: Instant.optional(),
  }),
});

export const Settlement = z.object({
  reference: Id,
  merchant_id: Id,
  mode: Mode,
  currency: z.literal("NGN"),
  amount: Naira,
  /** It moves the entries of Collected recorded before this time: */
  cut_off: Instant,
  /** those after the first version, up to and including the second. */
  from_version: z.int(),
  to_version: z.int(),
  transaction_id: Id,
  created_at: Instant,
});

export const runSettlement = request({
  subject: "ledger.settlement.run",
  callers: ["operator"],
  operator: { action: "settlement.run", fourEyes: true },
  meaning: "Move everything collected so far to Settled; null when there is nothing to move.",
  deadlineMs: 20_000,
  input: z.object({ merchant: MerchantScope }),
  output: z.object({ settlement: Settlement.nullable() }),
});

const SettlementSchedule = z.object({
  merchant_id: Id,
  /** A day's collections are settled this many days later, */
  delay_days: z.int().min(1).max(30),
  /** at this time in Africa/Lagos. */
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 06:00"),
});

export const setSettlementSchedule = request({
  subject: "ledger.settlement_schedule.set",
  callers: ["operator"],
  operator: { action: "settlement_schedule.set", detail: ["delay_days", "at"], fourEyes: true },
  meaning: "Set when a merchant's collections are settled, instead of T+1 at 06:00.",
  input: SettlementSchedule,
  output: SettlementSchedule,
});

const FeeSchedule = z.object({ merchant_id: Id, basis_points: z.int().min(0).max(10_000) });
export const getFeeSchedule = request({
  subject: "ledger.fee_schedule.get",
  callers: ["dashboard"],
  meaning: "The fee of a merchant's collections, its own or the default.",
  input: FeeSchedule.pick({ merchant_id: true }),
  output: FeeSchedule,
});

export const setFeeSchedule = request({
  subject: "ledger.fee_schedule.set",
  callers: ["operator"],
  operator: { action: "fee.set", detail: ["basis_points"], fourEyes: true },
  meaning: "Set a merchant's fee on future collections, instead of 1 %.",
  input: FeeSchedule,
  output: FeeSchedule,
});

export const getOwnBalances = request({
  subject: "ledger.balance.own",
  callers: ["operator"],
  operator: "read",
  meaning: "The balances of our own ledger accounts in each mode: what a statement of the bank is compared with.",
  input: z.object({}),
  output: z.object({
    modes: z.array(
      z.object({
        mode: Mode,
        /** What is on our account at the bank. */
        bank: NairaBalance,
        /** What banks have kept of incoming transfers so far, and what closed days say that they charged our accounts: our expense. */
        bank_charges: NairaBalance,
        /** Our own money in the accounts, as closed days say: what came less what went. A ledger of the release before has none. */
        own_funds: NairaBalance.optional(),
        /** What merchants have paid so far: our income. */
        fees: NairaBalance,
        /** Money that belongs to no merchant yet. */
        suspense: NairaBalance,
      }),
    ),
  }),
});

export const getLedgerProof = request({
  subject: "ledger.audit.get",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The ledger's latest proof of itself: entries and transactions in rotation, all balances every time.",
  input: z.object({}),
  output: z.object({
    proven_at: Instant.nullable(),
    holds: z.boolean(),
    /** All balances of a mode sum to zero. */
    modes: z.array(z.object({ mode: Mode, ledger_accounts: z.int(), sum: Kobo })),
    /** The last complete pass over all entries, and the progress of the current one. */
    entries: z.object({ last_round_at: Instant.nullable(), last_round: z.int(), this_round: z.int() }),
    /** Violations: a broken chain, a balance that differs from its last entry, a transaction that does not sum to zero. */
    differences: z.array(z.object({ what: z.string(), where: z.string() })),
    /** Each part of the audit with its coverage and its age. */
    parts: z.array(AuditPart),
  }),
});

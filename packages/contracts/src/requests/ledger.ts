import { z } from "zod";
import {
  AccountNumber,
  BankCode,
  Id,
  Instant,
  Kobo,
  MerchantReference,
  MerchantScope,
  Mode,
  Naira,
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

/** What the ledger holds for a transfer is found under the transfer's own id: the same is answered for ever. */
const OutboundTransfer = z.object({ transfer_id: Id, merchant: MerchantScope, amount: PositiveKobo });

/** What the merchant ordered. The ledger only keeps it beside what it holds, so that payments can learn it again. */
export const OutboundOrder = z.object({
  merchant_reference: MerchantReference,
  bank_code: BankCode,
  bank_name: z.string(),
  account_number: AccountNumber,
  account_name: z.string(),
  narration: z.string().nullable(),
  created_at: Instant,
});
export type OutboundOrder = z.infer<typeof OutboundOrder>;

export const reserveTransfer = request({
  subject: "ledger.transfer.reserve",
  callers: ["payments"],
  meaning: "Hold a transfer's amount: settled → payouts. Refused when Settled holds less, and then for ever.",
  input: OutboundTransfer.extend({ order: OutboundOrder.optional() }),
  output: z.object({ reserved: z.boolean() }),
});

export const completeTransfer = request({
  subject: "ledger.transfer.complete",
  callers: ["payments"],
  meaning:
    "Book how a transfer ended: success = payouts → bank, failed = back to settled, reversed = bank → settled. What contradicts an earlier end goes to suspense.",
  input: OutboundTransfer.extend({ outcome: z.enum(["success", "failed", "reversed"]) }),
  output: z.object({ booked: z.enum(["as_told", "suspense"]) }),
});

export const Settlement = z.object({
  reference: Id,
  merchant_id: Id,
  mode: Mode,
  currency: z.literal("NGN"),
  amount: Naira,
  /** Entries of Collected recorded before this time… */
  cut_off: Instant,
  /** …which are those after the first version and up to the second. */
  from_version: z.int(),
  to_version: z.int(),
  transaction_id: Id,
  created_at: Instant,
});

export const runSettlement = request({
  subject: "ledger.settlement.run",
  callers: ["operator"],
  meaning: "Move what was collected until now to Settled; null when there is nothing to move.",
  deadlineMs: 20_000,
  input: z.object({ merchant: MerchantScope }),
  output: z.object({ settlement: Settlement.nullable() }),
});

const SettlementSchedule = z.object({
  merchant_id: Id,
  /** What is collected on one day is settled so many days later… */
  delay_days: z.int().min(1).max(30),
  /** …at this time of Africa/Lagos. */
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 06:00"),
});

export const setSettlementSchedule = request({
  subject: "ledger.settlement_schedule.set",
  callers: ["operator"],
  meaning: "When a merchant's collections are settled, instead of T+1 at 06:00.",
  input: SettlementSchedule,
  output: SettlementSchedule,
});

const FeeSchedule = z.object({ merchant_id: Id, basis_points: z.int().min(0).max(10_000) });
export const setFeeSchedule = request({
  subject: "ledger.fee_schedule.set",
  callers: ["operator"],
  meaning: "The fee of a merchant on what comes from now on, instead of 1 %.",
  input: FeeSchedule,
  output: FeeSchedule,
});

export const getLedgerProof = request({
  subject: "ledger.audit.get",
  callers: ["operator"],
  meaning: "What the ledger last proved of itself: every entry and transaction in turn, all balances each time.",
  input: z.object({}),
  output: z.object({
    proven_at: Instant.nullable(),
    holds: z.boolean(),
    /** All balances of a mode sum to zero. */
    modes: z.array(z.object({ mode: Mode, ledger_accounts: z.int(), sum: Kobo })),
    /** The walk through all entries that was last finished, and how far the present one is. */
    entries: z.object({ last_round_at: Instant.nullable(), last_round: z.int(), this_round: z.int() }),
    /** What does not hold: a broken chain, a balance that is not its last entry, a transaction that is not zero. */
    differences: z.array(z.object({ what: z.string(), where: z.string() })),
    /** Each part with what it covers and how old it is. */
    parts: z.array(AuditPart),
  }),
});

import { z } from "zod";
import { Browse, browseOf, Span } from "../browse.ts";
import { Id, Instant, Naira, NairaBalance } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** The ledger as a merchant's books: its journal, and the statement of a month. */

/** A month of Africa/Lagos. */
export const Month = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11");

/** What a transaction is about: the intake id of a collection, or the reference of a settlement or a transfer. */
const key = Id;
/** `collection`, `allocation`, `settlement`, `reserve`, `payout`, `return`, `reversal`, `collection_reversal`, `allocation_reversal` or `cover`. */
const kind = z.string();

/** In the merchant's books, what we hold for it is an asset: what we owe it more is a debit. */
export const JournalEntry = z.object({
  recorded_at: Instant,
  transaction_id: Id,
  kind,
  key,
  /** bank, fees, collected, settled, payouts or suspense. */
  account: z.string(),
  debit: Naira.nullable(),
  credit: Naira.nullable(),
  /** Of the merchant's own ledger accounts only. */
  balance: NairaBalance.nullable(),
});

export const browseJournal = request({
  subject: "ledger.journal.browse",
  callers: ["dashboard"],
  meaning:
    "The entries of a merchant's transactions that were recorded in a time span, oldest first. All pages are of what was recorded when the first one was read; a transaction is on one page, and a page can be empty.",
  input: byScope.extend({ ...Browse.shape, ...Span.shape }),
  output: browseOf(JournalEntry),
});

/** What a merchant has with us and can dispose of, now or after its settlement. */
const Balances = z.object({ collected: NairaBalance, settled: NairaBalance });

export const StatementTotals = z.object({
  /** The instants between which it is: the second is excluded, and later than now for the current month. */
  from: Instant,
  before: Instant,
  /** The merchant's time until which it counted: the month is over if that is not before its end, or unknown without it. */
  as_of: Instant.optional(),
  opening: Balances,
  /** Less what banks took back, as are the fees. */
  money_in: NairaBalance,
  fees: NairaBalance,
  /** Moved from Collected to Settled, less what was moved back to cover what banks took back. */
  settled: NairaBalance,
  transfers_out: Naira,
  /** Transfers that failed or were reversed. */
  returned: Naira,
  closing: Balances,
  lines: z.int(),
});

export const getStatementTotals = request({
  subject: "ledger.statement.get",
  callers: ["dashboard"],
  meaning:
    "A merchant's balances when a month began and ended, and the sums of the lines between them, which must be the difference.",
  deadlineMs: 20_000,
  input: byScope.extend({ month: Month }),
  output: StatementTotals,
});

export const StatementLine = z.object({
  recorded_at: Instant,
  kind: z.string(),
  key,
  /** Negative if the bank took it back. */
  money_in: NairaBalance.nullable(),
  fee: NairaBalance.nullable(),
  settled: NairaBalance.nullable(),
  transfer_out: Naira.nullable(),
  returned: Naira.nullable(),
  /** After the line. */
  collected_balance: NairaBalance,
  settled_balance: NairaBalance,
});

export const browseStatement = request({
  subject: "ledger.statement.browse",
  callers: ["dashboard"],
  meaning:
    "The lines of a month's statement, oldest first, between a line of kind `opening` and one of kind `closing`, which are proved before the first page is returned. All pages are of what was recorded when the first one was read.",
  deadlineMs: 20_000,
  input: byScope.extend({ ...Browse.shape, month: Month }),
  output: browseOf(StatementLine),
});

import type { Mode } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import type { AccountId } from "./account.ts";

/**
 * The sign convention of the ledger: a debit is positive, a credit negative. Assets (bank) and expenses (bank charges) have positive
 * balances; liabilities (collected, settled, payouts, suspense), own funds and income (fees) negative ones. Code that displays a liability
 * negates it.
 */
export type Leg = { account: AccountId; amount: Kobo };

export const debit = (account: AccountId, amount: Kobo): Leg => ({ account, amount });
export const credit = (account: AccountId, amount: Kobo): Leg => ({ account, amount: -amount });

/** A transaction to post once under its key. `amount` is the gross. All in kobo. */
export type Transaction = {
  key: string;
  kind: "collection" | "suspense" | "allocation" | "settlement" | TransferBooking | ReversalBooking | DayBooking;
  mode: Mode;
  merchantId: string | null;
  amount: Kobo;
  fee: Kobo;
  feeBasisPoints: number;
  /** What the bank kept of the amount. */
  bankCharge: Kobo;
  /** The bank's time for incoming money, the day of its charges and of own funds, the cut-off for a settlement, otherwise when the ledger was notified. */
  occurredAt: string;
  /** When accounts received the money, by which services compare their records; null for other movements of money. */
  receivedAt: string | null;
  /** By which it counts on a day of the bank's statement, where it is not `receivedAt`; null for what does not move money at the bank. */
  countedAt: string | null;
  legs: Leg[];
};

/** What a bank took back: of a merchant's collection, out of suspense, or of what was allocated since; and what Settled covers of it. */
export type ReversalBooking = "collection_reversal" | "suspense_reversal" | "allocation_reversal" | "cover";

/** What a bank charged an account of ours, or gave back of it; and our own money that came into one, or went out. */
export type DayBooking = "bank_charge" | "bank_charge_refund" | "own_funds_in" | "own_funds_out";

/** The transactions of an outbound transfer. */
export type TransferBooking = "reserve" | "payout" | "return" | "reversal" | "late_payout" | "late_reversal";

type Given = Omit<Transaction, "legs" | "bankCharge" | "countedAt"> &
  Partial<Pick<Transaction, "bankCharge" | "countedAt">>;

/** A transaction with its legs. Legs of zero are omitted; a sum other than zero is a bug and throws. */
export function balanced(transaction: Given, legs: Leg[]): Transaction {
  const sum = legs.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) throw new Error(`the legs of ${transaction.key} sum to ${sum}, not to zero`);
  return { bankCharge: 0n, countedAt: null, ...transaction, legs: legs.filter(({ amount }) => amount !== 0n) };
}

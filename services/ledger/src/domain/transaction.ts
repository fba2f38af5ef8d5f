import type { Mode } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import type { AccountId } from "./account.ts";

/**
 * The sign convention of the ledger: a debit is positive, a credit negative. Assets (bank) and expenses (bank charges) have positive
 * balances; liabilities (collected, settled, payouts, suspense) and income (fees) negative ones. Code that displays a liability
 * negates it.
 */
export type Leg = { account: AccountId; amount: Kobo };

export const debit = (account: AccountId, amount: Kobo): Leg => ({ account, amount });
export const credit = (account: AccountId, amount: Kobo): Leg => ({ account, amount: -amount });

/** A transaction to post once under its key. `amount` is the gross. All in kobo. */
export type Transaction = {
  key: string;
  kind: "collection" | "suspense" | "allocation" | "settlement" | TransferBooking | ReversalBooking;
  mode: Mode;
  merchantId: string | null;
  amount: Kobo;
  fee: Kobo;
  feeBasisPoints: number;
  /** What the bank kept of the amount. */
  bankCharge: Kobo;
  /** The bank's time for incoming money, the cut-off for a settlement, otherwise when the ledger was notified. */
  occurredAt: string;
  /** When accounts received the money, by which services compare their records; null for other movements of money. */
  receivedAt: string | null;
  legs: Leg[];
};

/** What a bank took back: of a merchant's collection, out of suspense, or of what was allocated since; and what Settled covers of it. */
export type ReversalBooking = "collection_reversal" | "suspense_reversal" | "allocation_reversal" | "cover";

/** The transactions of an outbound transfer. */
export type TransferBooking = "reserve" | "payout" | "return" | "reversal" | "late_payout" | "late_reversal";

type Given = Omit<Transaction, "legs" | "bankCharge"> & Partial<Pick<Transaction, "bankCharge">>;

/** A transaction with its legs. Legs of zero are omitted; a sum other than zero is a bug and throws. */
export function balanced(transaction: Given, legs: Leg[]): Transaction {
  const sum = legs.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) throw new Error(`the legs of ${transaction.key} sum to ${sum}, not to zero`);
  return { bankCharge: 0n, ...transaction, legs: legs.filter(({ amount }) => amount !== 0n) };
}

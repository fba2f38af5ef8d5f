import type { Mode } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import type { AccountId } from "./account.ts";

/**
 * The sign convention of the ledger: a debit is positive, a credit negative. Assets (bank) stand above zero; what we owe
 * (collected, settled, payouts, suspense) and what we earn (fees) below. Whoever shows a debt negates it.
 */
export type Leg = { account: AccountId; amount: Kobo };

export const debit = (account: AccountId, amount: Kobo): Leg => ({ account, amount });
export const credit = (account: AccountId, amount: Kobo): Leg => ({ account, amount: -amount });

/** What is to be posted once under its key. `amount` is the gross. All in kobo. */
export type Transaction = {
  key: string;
  kind: "collection" | "suspense" | "allocation" | "settlement" | TransferBooking;
  mode: Mode;
  merchantId: string | null;
  amount: Kobo;
  fee: Kobo;
  feeBasisPoints: number;
  /** The bank's time of money that came, a settlement's cut-off, or else when we were told. */
  occurredAt: string;
  /** When accounts received the money, by which services compare what they hold; null for money that moved otherwise. */
  receivedAt: string | null;
  legs: Leg[];
};

/** What the ledger books for a transfer that a merchant sends. */
export type TransferBooking = "reserve" | "payout" | "return" | "reversal" | "late_payout" | "late_reversal";

/** A transaction with its legs. Legs of nothing are left out; a sum other than zero is our fault and throws. */
export function balanced(transaction: Omit<Transaction, "legs">, legs: Leg[]): Transaction {
  const sum = legs.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) throw new Error(`the legs of ${transaction.key} sum to ${sum}, not to zero`);
  return { ...transaction, legs: legs.filter(({ amount }) => amount !== 0n) };
}

import type { Mode } from "@collect/contracts";
import type { Kobo } from "@collect/money";
import type { AccountId } from "./account.ts";

/**
 * The sign convention of the ledger: a debit is positive, a credit negative. Assets (bank) stand above zero; what we owe
 * (collected, settled, suspense) and what we earn (fees) below. Whoever shows a debt negates it.
 */
export type Leg = { account: AccountId; amount: Kobo };

export const debit = (account: AccountId, amount: Kobo): Leg => ({ account, amount });
export const credit = (account: AccountId, amount: Kobo): Leg => ({ account, amount: -amount });

/** What is to be posted once under its key. `amount` is the gross; `occurredAt` is the bank's time. All in kobo. */
export type Transaction = {
  key: string;
  kind: "collection" | "suspense" | "allocation";
  mode: Mode;
  merchantId: string | null;
  amount: Kobo;
  fee: Kobo;
  feeBasisPoints: number;
  occurredAt: string;
  legs: Leg[];
};

/** A transaction with its legs. Legs of nothing are left out; a sum other than zero is our fault and throws. */
export function balanced(transaction: Omit<Transaction, "legs">, legs: Leg[]): Transaction {
  const sum = legs.reduce((total, { amount }) => total + amount, 0n);
  if (sum !== 0n) throw new Error(`the legs of ${transaction.key} sum to ${sum}, not to zero`);
  return { ...transaction, legs: legs.filter(({ amount }) => amount !== 0n) };
}

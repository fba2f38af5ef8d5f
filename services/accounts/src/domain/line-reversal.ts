/** A line of a statement with which the bank took a transfer back, and what that takes of the transfer. In kobo. */

/** A reversal of a credit: admitted, or waiting to be. */
export type Part = {
  reversalId: string;
  bankTransferId: string;
  amount: bigint;
  bankFee: bigint;
  bankVat: bigint;
  isAdmitted: boolean;
};

type Amounts = Pick<Part, "amount" | "bankFee" | "bankVat">;

/**
 * What a line takes back of a credit: its amount, of which the bank gives nothing of its charges back. If it is exactly what is left at the bank of
 * the credit, the bank has undone its charges, too: then it is all that is left of the credit.
 */
export function takenBy(line: { amount: bigint }, credit: Amounts, parts: Amounts[]): Amounts {
  const left = parts.reduce(less, credit);
  const taken = -line.amount;
  const { amount, bankFee, bankVat } = left;
  return bankFee >= 0n && bankVat >= 0n && taken === amount - bankFee - bankVat
    ? { amount, bankFee, bankVat }
    : { amount: taken, bankFee: 0n, bankVat: 0n };
}

/** What the parts have left of the credit. */
export const leftOf = (credit: Amounts, parts: Amounts[]): bigint => parts.reduce(less, credit).amount;

const less = (one: Amounts, other: Amounts): Amounts => ({
  amount: one.amount - other.amount,
  bankFee: one.bankFee - other.bankFee,
  bankVat: one.bankVat - other.bankVat,
});

import type { BankReport } from "@collect/bank";
import { formatNaira } from "@collect/money";

/** A transfer that its partner settled and never reported, as the settlement has it. */
export type SettledTransfer = {
  bankTransferId: string;
  settlementId: string;
  /** Null where the settlement does not say. */
  amount: bigint | null;
  reservation: string | null;
};

/**
 * Why what the partner says, asked for a transfer that it settled, is not credited; undefined if it is that transfer. The settlement is the
 * partner's signed word, and so is its answer: where they differ a person finds out which of them is right. Whose account it is, and whether it
 * may be booked, the intake decides as for every report.
 */
export function contradictionOf(settled: SettledTransfer, found: BankReport | undefined): string | undefined {
  const differs = (what: string) => `settled in ${settled.settlementId}, but the bank, asked for it, ${what}`;
  if (!found) return differs("does not know it");
  const { id, type, amount, reservation } = found;
  if (type !== "credit") return differs(`says ${type}`);
  if (id !== settled.bankTransferId) return differs("says another id");
  if (settled.amount !== null && amount !== settled.amount)
    return differs(`says ${formatNaira(amount)} and not ${formatNaira(settled.amount)}`);
  if (settled.reservation !== null && reservation !== undefined && reservation !== settled.reservation)
    return differs("says another account");
  return undefined;
}

import { createHmac } from "node:crypto";
import { type Mode, type Payer, referenceOf } from "@collect/contracts";

/** A transfer as a bank (or the simulation) reports it. Amount in kobo. */
export type ReportedTransfer = {
  bank: string;
  mode: Mode;
  bankTransferId: string;
  accountNumber: string;
  amount: bigint;
  currency: string;
  payer: Payer;
  narration: string | null;
  paidAt: string;
};

/**
 * The intake id of a transfer: the same for ever for the same bank, mode and bank's id, so that a restored database can
 * neither post twice nor name a collection anew. Keyed, so that nobody can guess it from a bank's id.
 */
export function intakeIdOf(
  key: string,
  { bank, mode, bankTransferId }: Pick<ReportedTransfer, "bank" | "mode" | "bankTransferId">,
): string {
  const digest = createHmac("sha256", key)
    .update(JSON.stringify([bank, mode, bankTransferId]))
    .digest();
  return referenceOf("int", digest.subarray(0, 16));
}

/** What makes a second report under a known id another transfer, which is never credited by itself. */
export function isSameTransfer(
  known: Pick<ReportedTransfer, "amount" | "currency" | "accountNumber">,
  reported: Pick<ReportedTransfer, "amount" | "currency" | "accountNumber">,
): boolean {
  return (
    known.amount === reported.amount &&
    known.currency === reported.currency &&
    known.accountNumber === reported.accountNumber
  );
}

import { createHmac } from "node:crypto";
import { type Mode, type Payer, referenceOf } from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO } from "@collect/money";

/** A transfer as a bank (or the simulation) reports it. Amount in kobo. */
export type ReportedTransfer = {
  bank: string;
  mode: Mode;
  bankTransferId: string;
  /** `credit`, or whatever else the bank reports about money; only a credit is ever credited. */
  type: string;
  accountNumber: string;
  amount: bigint;
  currency: string;
  payer: Payer;
  narration: string | null;
  /** Null when it is paid as it is taken in. */
  paidAt: string | null;
};

/**
 * Why a report must never be credited by itself, whatever its id: a person decides what becomes of it. Undefined for money
 * that is taken in.
 */
export function reasonToPark({
  type,
  currency,
  amount,
}: Pick<ReportedTransfer, "type" | "currency" | "amount">): string | undefined {
  if (type === "reversal") return "a reversal: the bank asks for money back that it credited";
  if (type !== "credit") return `a report of type ${type}, which is not known`;
  if (currency !== "NGN") return `currency ${currency}`;
  if (amount > PAYMENT_MAX_KOBO) return `an amount above ${formatNaira(PAYMENT_MAX_KOBO)}`;
  return undefined;
}

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

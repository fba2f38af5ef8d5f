import { createHmac } from "node:crypto";
import { type Mode, type Payer, referenceOf } from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO } from "@collect/money";

/** A transfer as a bank (or the simulation) reports it. Amount in kobo. */
export type ReportedTransfer = {
  bank: string;
  mode: Mode;
  bankTransferId: string;
  /** `credit`, or another type of report; only a credit is ever credited. */
  type: string;
  accountNumber: string;
  amount: bigint;
  currency: string;
  payer: Payer;
  narration: string | null;
  /** Null when it is paid at the time of its intake. */
  paidAt: string | null;
  /** Of NIP; null or absent where the bank does not name it. */
  sessionId?: string | null;
};

/**
 * Why a report must never be credited automatically, whatever its id: a person decides on it. Undefined for money that is
 * accepted.
 */
export function reasonToQuarantine({
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
 * The intake id of a transfer: always the same for the same bank, mode and bank's id, so that a restored database can neither
 * post twice nor rename a collection. Keyed, so that it cannot be derived from a bank's id.
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

/** Whether a second report under a known id is the same transfer. Another one is never credited automatically. */
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

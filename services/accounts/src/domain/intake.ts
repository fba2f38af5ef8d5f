import { createHmac } from "node:crypto";
import { type Mode, type Payer, referenceOf } from "@collect/contracts";
import { formatNaira, PAYMENT_MAX_KOBO } from "@collect/money";

/** A transfer as a bank (or the simulation) reports it. Amount in kobo. */
export type ReportedTransfer = {
  bank: string;
  mode: Mode;
  bankTransferId: string;
  /** `credit`, `reversal`, or another type of report; only a credit is ever credited. */
  type: string;
  /** The bank's id of the credit that a reversal takes back, where it names one. */
  reverses?: string | null;
  accountNumber: string;
  /** Under which request the account was issued, where the bank names it. */
  reservation?: string;
  amount: bigint;
  currency: string;
  payer: Payer;
  narration: string | null;
  /** Null when it is paid at the time of its intake. */
  paidAt: string | null;
  /** What the bank kept of the amount, and the VAT on that: the rest reached our account. Zero without. In kobo. */
  bankFee?: bigint;
  bankVat?: bigint;
  /** Of NIP; null or absent where the bank does not name it. */
  sessionId?: string | null;
  settlementId?: string | null;
};

/** Around the receipt. A time of a bank outside of them is wrong. */
export const PAID_AT_BOUNDS = { beforeDays: 90, afterDays: 1 };

/** Whether a transfer was credited as paid at its receipt, although the bank reported another time. */
export const isTakenForWrong = (reported: string | null, credited: { paidAt: string }): boolean =>
  reported !== null && Math.trunc(Date.parse(reported)) !== Math.trunc(Date.parse(credited.paidAt));

/**
 * Why a report must never be booked automatically, whatever its id: a person decides on it. Undefined for what is accepted where
 * reports of this type are.
 */
export function reasonToQuarantine(
  {
    type,
    currency,
    amount,
    bankFee = 0n,
    bankVat = 0n,
  }: Pick<ReportedTransfer, "type" | "currency" | "amount" | "bankFee" | "bankVat">,
  accepted: "credit" | "reversal",
): string | undefined {
  if (type !== accepted) return `a report of type ${type}, which is not known`;
  if (currency !== "NGN") return `currency ${currency}`;
  if (amount > PAYMENT_MAX_KOBO) return `an amount above ${formatNaira(PAYMENT_MAX_KOBO)}`;
  if (bankFee < 0n || bankVat < 0n) return "a bank charge below zero";
  if (bankFee + bankVat > amount) return "bank charges above the amount";
  return undefined;
}

/**
 * The intake id of a transfer: always the same for the same bank, mode and bank's id, so that a restored database can neither
 * post twice nor rename a collection. Keyed, so that it cannot be derived from a bank's id.
 */
export function intakeIdOf(
  key: string,
  { bank, mode, bankTransferId }: Pick<ReportedTransfer, "bank" | "mode" | "bankTransferId">,
  ...kind: "reversal"[]
): string {
  const digest = createHmac("sha256", key)
    .update(JSON.stringify([bank, mode, bankTransferId, ...kind]))
    .digest();
  return referenceOf("int", digest.subarray(0, 16));
}

/**
 * What makes a second report under a known id the same transfer. Another one is never credited automatically. The charges are not a
 * part of it: a bank may report a transfer before it knows what it keeps.
 */
type Content = Pick<ReportedTransfer, "amount" | "currency" | "accountNumber">;

export const isSameTransfer = (known: Content, reported: Content): boolean =>
  known.amount === reported.amount &&
  known.currency === reported.currency &&
  known.accountNumber === reported.accountNumber;

type Charges = Pick<ReportedTransfer, "bankFee" | "bankVat">;

/** Whether a repeat says the same of what the bank kept. What was reported first is booked, and stays. */
export const areSameCharges = (known: Charges, reported: Charges): boolean =>
  (known.bankFee ?? 0n) === (reported.bankFee ?? 0n) && (known.bankVat ?? 0n) === (reported.bankVat ?? 0n);

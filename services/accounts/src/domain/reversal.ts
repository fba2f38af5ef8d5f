import { isReversalOfLine } from "@collect/contracts";
import { intakeIdOf, type ReportedTransfer } from "./intake.ts";

/** A report that the bank took back a transfer, or a part of it. */
export const isReversal = ({ type }: Pick<ReportedTransfer, "type">): boolean => type === "reversal";

type Named = Pick<ReportedTransfer, "bank" | "mode" | "bankTransferId" | "reverses">;

/** The intake id of a reversal, which may have the bank's id of its credit; and that of the credit, whether or not it is known. */
export function reversalIdsOf(key: string, report: Named): { reversalId: string; creditId: string } {
  const { bank, mode, bankTransferId, reverses } = report;
  return {
    reversalId: intakeIdOf(key, { bank, mode, bankTransferId }, "reversal"),
    creditId: intakeIdOf(key, { bank, mode, bankTransferId: reverses ?? bankTransferId }),
  };
}

/** The transfer that is taken back. `reversed` is how much of it was before. In kobo. */
export type Credit = {
  accountNumber: string;
  amount: bigint;
  reversed: bigint;
  /** Some of it was booked from a line of the bank's statement. */
  isTakenByLine: boolean;
  merchantId: string | null;
  completedAt: string | null;
};

export type Admission = "waits" | "admitted" | { refused: string };

/**
 * Whether a reversal is booked. It waits until its credit is known and at the end of its path: each stage then knows the credit,
 * and the merchant has the event of the credit first. More than is left of the credit is never booked: a person decides. So of a credit that an
 * operator has taken back by a line of the statement: a report may be of that line or of another one, and only the statement tells.
 */
export function admissionOf(
  reversal: Pick<ReportedTransfer, "accountNumber" | "amount" | "bankTransferId">,
  credit: Credit | undefined,
): Admission {
  if (!credit) return "waits";
  if (!isSameAccount(credit.accountNumber, reversal.accountNumber))
    return { refused: "a reversal of money in another account" };
  if (credit.isTakenByLine && !isReversalOfLine(reversal.bankTransferId)) return { refused: TAKEN_BY_LINE };
  if (credit.reversed + reversal.amount > credit.amount)
    return { refused: "a reversal of more than is left of its transfer" };
  return credit.completedAt === null ? "waits" : "admitted";
}

/** A bank that names only the credit leaves the account empty: it is the credit's. */
const isSameAccount = (one: string, other: string): boolean => one === "" || other === "" || one === other;

export const NAMES_NO_CREDIT = "a reversal that names no transfer of ours";
export const CREDIT_IS_MISSING = "a reversal of a transfer that the bank has not reported";
export const TAKEN_BY_LINE =
  "a reversal of a transfer that an operator took back by the statement: if it has a line of its own, report that";
export const CREDIT_CAME = "its transfer was reported since, and it is taken back";

type Content = Pick<ReportedTransfer, "amount" | "accountNumber"> & { creditId: string };

/** Whether a second report under the id of a reversal is the same one. As of a credit, the charges may be reported later. */
export const isSameReversal = (known: Content, reported: Content): boolean =>
  known.creditId === reported.creditId &&
  known.amount === reported.amount &&
  isSameAccount(known.accountNumber, reported.accountNumber);

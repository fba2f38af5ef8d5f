import type { BankReport } from "@collect/bank";
import type { ReportedTransfer } from "./intake.ts";

/** The intake's transfer of what a partner reports: live money. */
export const transferOf = (partner: string, { id, ...report }: BankReport): ReportedTransfer => ({
  ...report,
  ...{ bank: partner, mode: "live", bankTransferId: id },
});

/** What decides about the money. The bank may well write the payer's name differently when it is asked. */
const DECIDING = ["type", "accountNumber", "amount", "currency"] as const;

/** The fields in which a report contradicts what the bank confirms. What a report leaves empty, it does not say. */
export const contradictedFields = (reported: BankReport, confirmed: BankReport): string[] =>
  DECIDING.filter((field) => reported[field] && reported[field] !== confirmed[field]);

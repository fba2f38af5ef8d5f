import type { Fact, Transfer as TransferResponse, transferCompleted } from "@collect/contracts";
import { shownName } from "./holder-name.ts";
import type { End, Transfer } from "./transfer.ts";

/** The transfer as the merchant API returns it. */
export function toTransferResponse(transfer: Transfer): TransferResponse {
  const { status, reversedAt, completedAt } = transfer;
  return {
    reference: transfer.reference,
    merchant_reference: transfer.merchantReference,
    status,
    amount: transfer.amount,
    fee: transfer.fee,
    currency: "NGN",
    bank_code: transfer.bankCode,
    bank_name: transfer.bankName,
    account_number: transfer.accountNumber,
    account_name: shownName(transfer, status),
    narration: transfer.narration,
    failure_code: reasonAs(status, transfer.failureCode),
    failure_reason: reasonAs(status, transfer.failureReason),
    metadata: transfer.metadata ?? {},
    mode: transfer.mode,
    created_at: transfer.createdAt,
    completed_at: reversedAt ?? completedAt,
  };
}

/** What an operator knows a payout by: whose it is, where it goes, and through which partner. */
export const toNamedPayout = ({ reference, merchantId, partner, bankCode, accountNumber, amount }: Transfer) => ({
  ...{ reference, merchant_id: merchantId, partner },
  ...{ bank_code: bankCode, account_number: accountNumber, amount },
});

/** The transfer as it was at one of its ends: the same each time it is published, whatever happened since. */
export function completedTransfer(transfer: Transfer, end: End): Fact<typeof transferCompleted> {
  const completedAt = end === "reversed" ? transfer.reversedAt : transfer.completedAt;
  if (!completedAt) throw new Error(`${transfer.reference} has not reached ${end}`);
  return {
    key: eventKey(transfer.reference, end),
    merchant: { id: transfer.merchantId, mode: transfer.mode },
    reference: transfer.reference,
    merchantReference: transfer.merchantReference,
    status: end,
    amount: transfer.amount,
    fee: transfer.fee,
    currency: "NGN",
    bankCode: transfer.bankCode,
    bankName: transfer.bankName,
    accountNumber: transfer.accountNumber,
    accountName: shownName(transfer, end),
    narration: transfer.narration,
    failureCode: reasonAs(end, transfer.failureCode),
    failureReason: reasonAs(end, transfer.failureReason),
    createdAt: transfer.createdAt,
    completedAt,
    ...(transfer.metadata && { metadata: transfer.metadata }),
  };
}

const eventKey = (reference: string, end: End) => `${reference}:${end}`;

/** The transfer and the end that an event key names. */
export function parseEventKey(key: string): { reference: string; end: string } {
  const [reference = "", end = ""] = key.split(":");
  return { reference, end };
}

/** A reason belongs to the failure or the reversal, never to the success before it. */
function reasonAs(status: Transfer["status"], reason: string | null): string | null {
  return status === "failed" || status === "reversed" ? reason : null;
}

/** The log fields that identify a transfer. */
export const logFields = ({ reference, merchantId, mode }: Transfer) => ({
  subject: "transfer",
  transfer: reference,
  merchant_id: merchantId,
  mode,
});

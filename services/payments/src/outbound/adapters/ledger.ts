import type { Bus } from "@collect/bus";
import {
  completeTransfer,
  getBalance,
  type MerchantScope,
  type OutboundOrder,
  reserveTransfer,
} from "@collect/contracts";
import { naira } from "@collect/money";
import type { End, Transfer } from "../domain/transfer.ts";

/** The ledger's part in a transfer. `reserve` and `complete` are idempotent: a repeat gets the same response. */
export type Ledger = {
  /** Whether the settled balance covers the amount at this moment: an early refusal; `reserve` decides. */
  covers(merchant: MerchantScope, amount: bigint): Promise<boolean>;
  /** Whether the transfer's money is reserved. */
  reserve(transfer: Transfer): Promise<boolean>;
  /** Books an end; `suspense` when it contradicts the one that was booked before. */
  complete(transfer: Transfer, end: End): Promise<"as_told" | "suspense">;
};

export function createLedger(bus: Bus): Ledger {
  return {
    covers: async ({ id, mode }, amount) =>
      (await bus.request(getBalance, { merchant: { id, mode } })).settled >= naira(amount),
    reserve: async (transfer) =>
      (await bus.request(reserveTransfer, { ...outbound(transfer), order: orderOf(transfer) })).reserved,
    complete: async (transfer, end) =>
      (await bus.request(completeTransfer, { ...outbound(transfer), outcome: end })).booked,
  };
}

/** The order, which the ledger stores so that payments can restore the transfer from it. */
export const orderOf = (transfer: Transfer): OutboundOrder => ({
  merchant_reference: transfer.merchantReference,
  bank_code: transfer.bankCode,
  bank_name: transfer.bankName,
  account_number: transfer.accountNumber,
  account_name: transfer.accountName,
  narration: transfer.narration,
  created_at: transfer.createdAt,
});

const outbound = ({ reference, merchantId, mode, amount }: Transfer) => ({
  transfer_id: reference,
  merchant: { id: merchantId, mode },
  amount: amount.toString(),
});

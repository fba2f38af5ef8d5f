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

/** What the ledger does for transfers. Both are safe to repeat, and answered the same for ever. */
export type Ledger = {
  /** Whether Settled holds so much at the moment: for refusing at once what would be refused after all. */
  holds(merchant: MerchantScope, amount: bigint): Promise<boolean>;
  /** Whether the transfer's money is held. */
  reserve(transfer: Transfer): Promise<boolean>;
  /** Books an end; `suspense` when it contradicts what was booked before. */
  complete(transfer: Transfer, end: End): Promise<"as_told" | "suspense">;
};

export function createLedger(bus: Bus): Ledger {
  return {
    holds: async ({ id, mode }, amount) =>
      (await bus.request(getBalance, { merchant: { id, mode } })).settled >= naira(amount),
    reserve: async (transfer) =>
      (await bus.request(reserveTransfer, { ...outbound(transfer), order: orderOf(transfer) })).reserved,
    complete: async (transfer, end) =>
      (await bus.request(completeTransfer, { ...outbound(transfer), outcome: end })).booked,
  };
}

/** What the ledger keeps of it, from which payments could learn it again. */
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

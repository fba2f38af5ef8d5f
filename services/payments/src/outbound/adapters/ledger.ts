import type { Bus } from "@collect/bus";
import {
  completeTransfer,
  getBalance,
  type MerchantScope,
  NairaBalance,
  type OutboundOrder,
  reserveTransfer,
  type WireResult,
} from "@collect/contracts";
import { shownName } from "../domain/holder-name.ts";
import type { End, Transfer } from "../domain/transfer.ts";

/** The ledger's part in a transfer. `reserve` and `complete` are idempotent: a repeat gets the same response. */
export type Ledger = {
  /** The settled balance at this moment, for an early refusal; `reserve` decides. */
  settled(merchant: MerchantScope): Promise<bigint>;
  /** Whether the transfer's money is reserved; if not, why, and if so, whether it needs an approval. */
  reserve(transfer: Transfer): Promise<WireResult<typeof reserveTransfer>>;
  /** Books an end; `suspense` when it contradicts the one that was booked before. */
  complete(transfer: Transfer, end: End): Promise<"as_told" | "suspense">;
};

export function createLedger(bus: Bus): Ledger {
  return {
    settled: async ({ id, mode }) =>
      NairaBalance.decode((await bus.request(getBalance, { merchant: { id, mode } })).settled),
    reserve: (transfer) => bus.request(reserveTransfer, { ...outbound(transfer), order: orderOf(transfer) }),
    complete: async (transfer, end) =>
      (await bus.request(completeTransfer, { ...outbound(transfer), outcome: end })).booked,
  };
}

/** The order, which the ledger stores so that payments can restore the transfer from it; with the name as the merchant saw it. */
export const orderOf = (transfer: Transfer): OutboundOrder => ({
  merchant_reference: transfer.merchantReference,
  bank_code: transfer.bankCode,
  bank_name: transfer.bankName,
  account_number: transfer.accountNumber,
  account_name: shownName(transfer, "pending"),
  narration: transfer.narration,
  created_at: transfer.createdAt,
  ...(transfer.metadata && { metadata: transfer.metadata }),
});

const outbound = ({ reference, merchantId, mode, amount }: Transfer) => ({
  transfer_id: reference,
  merchant: { id: merchantId, mode },
  amount: amount.toString(),
});

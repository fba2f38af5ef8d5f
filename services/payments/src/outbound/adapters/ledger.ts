import type { Bus } from "@collect/bus";
import {
  completeTransfer,
  getBalance,
  getPayoutLimits,
  type MerchantScope,
  Naira,
  NairaBalance,
  type OutboundOrder,
  readTransferBookings,
  reserveTransfer,
  type WireResult,
} from "@collect/contracts";
import { shownName } from "../domain/holder-name.ts";
import type { End, Transfer } from "../domain/transfer.ts";
import type { Limits } from "../domain/transfer-batch.ts";

/** The ledger's part in a transfer. `reserve` and `complete` are idempotent: a repeat gets the same response. */
export type Ledger = {
  /** The settled balance at this moment, for an early refusal; `reserve` decides. */
  settled(merchant: MerchantScope): Promise<bigint>;
  /** The merchant's limits at this moment, for many orders at once; `reserve` decides about each. */
  limits(merchant: MerchantScope): Promise<Limits>;
  /** Whether the transfer's money is reserved; if not, why, and if so, whether it needs an approval. */
  reserve(transfer: Transfer): Promise<WireResult<typeof reserveTransfer>>;
  /** Books an end; `suspense` when it contradicts the one that was booked before, which counts. */
  complete(transfer: Transfer, end: End): Promise<WireResult<typeof completeTransfer>>;
  /** What it has booked of a transfer; undefined if it does not know it. */
  booked(transfer: Transfer): Promise<WireResult<typeof readTransferBookings>["transfers"][number] | undefined>;
};

export function createLedger(bus: Bus): Ledger {
  return {
    settled: async ({ id, mode }) =>
      NairaBalance.decode((await bus.request(getBalance, { merchant: { id, mode } })).settled),
    limits: async ({ id, mode }) => {
      const { limits, ordered_today } = await bus.request(getPayoutLimits, { merchant_id: id });
      return {
        transferMax: limits.transfer_max === null ? null : Naira.decode(limits.transfer_max),
        dayMax: limits.day_max === null ? null : Naira.decode(limits.day_max),
        approvalAbove: limits.approval_above === null ? null : Naira.decode(limits.approval_above),
        orderedToday: Naira.decode(ordered_today[mode]),
      };
    },
    reserve: (transfer) => bus.request(reserveTransfer, { ...outbound(transfer), order: orderOf(transfer) }),
    complete: (transfer, end) => bus.request(completeTransfer, { ...outbound(transfer), outcome: end }),
    booked: async ({ reference }) =>
      (await bus.request(readTransferBookings, { transfer_ids: [reference] })).transfers[0],
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

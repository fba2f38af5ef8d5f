import type { Bus } from "@collect/bus";
import { completeTransfer, reserveTransfer } from "@collect/contracts";
import type { End, Transfer } from "../domain/transfer.ts";

/** What the ledger does for transfers. Both are safe to repeat, and answered the same for ever. */
export type Ledger = {
  /** Whether the transfer's money is held. */
  reserve(transfer: Transfer): Promise<boolean>;
  /** Books an end; `suspense` when it contradicts what was booked before. */
  complete(transfer: Transfer, end: End): Promise<"as_told" | "suspense">;
};

export function createLedger(bus: Bus): Ledger {
  return {
    reserve: async (transfer) => (await bus.request(reserveTransfer, outbound(transfer))).reserved,
    complete: async (transfer, end) =>
      (await bus.request(completeTransfer, { ...outbound(transfer), outcome: end })).booked,
  };
}

const outbound = ({ reference, merchantId, mode, amount }: Transfer) => ({
  transfer_id: reference,
  merchant: { id: merchantId, mode },
  amount: amount.toString(),
});

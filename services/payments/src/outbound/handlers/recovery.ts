import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { listOutboundTransfers } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { nextCursor } from "../../domain/change-cursor.ts";
import { orderOf } from "../adapters/ledger.ts";
import type { Transfer } from "../domain/transfer.ts";
import { touchedTransfers } from "../store/transfer-recovery.ts";

/**
 * Answers what a restored ledger asks about outgoing money. A payments database that was itself restored refuses until
 * it has recovered.
 */
export function outboundRecoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(listOutboundTransfers, async ({ since, after }) => {
      epochs.assertCurrent();
      const transfers = await touchedTransfers(pool, { since, after, limit: ROWS_A_MESSAGE });
      const reserved = transfers.filter(({ step }) => step !== "created" && step !== "refused");
      return {
        rows: reserved.map(outboundOf),
        next: nextCursor(transfers, ROWS_A_MESSAGE, ({ reference }) => reference),
      };
    }),
  ];
}

const outboundOf = (transfer: Transfer) => ({
  transfer_id: transfer.reference,
  merchant: { id: transfer.merchantId, mode: transfer.mode },
  amount: transfer.amount,
  order: orderOf(transfer),
  outcome: transfer.status === "pending" ? null : transfer.status,
  completed_at: transfer.completedAt,
  reversed_at: transfer.reversedAt,
  session_id: transfer.sessionId,
  ...(transfer.step === "reserved" ? { partner: null } : transfer.partner !== null && { partner: transfer.partner }),
});

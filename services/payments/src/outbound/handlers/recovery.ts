import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { listOutboundTransfers, listTransferEvents, storeTestEvent } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { nextCursor } from "../../domain/change-cursor.ts";
import { orderOf } from "../adapters/ledger.ts";
import type { End, Transfer } from "../domain/transfer.ts";
import { completedTransfer, parseEventKey } from "../domain/transfer-record.ts";
import { eventNumbers, keepTestNumber, type NumberRow } from "../store/event-numbers.ts";
import { readTransfers, touchedTransfers } from "../store/transfer-recovery.ts";

/**
 * Answers what a restored service asks about outgoing money. A payments database that was itself restored refuses until
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
    answer(listTransferEvents, async ({ since, after }) => {
      epochs.assertCurrent();
      const numbers = await eventNumbers(pool, { since, after, limit: ROWS_A_MESSAGE });
      const references = numbers.map(({ key }) => parseEventKey(key).reference);
      const byReference = new Map((await readTransfers(pool, references)).map((row) => [row.reference, row]));
      const rows = numbers.map((number) => eventOf(number, byReference.get(parseEventKey(number.key).reference)));
      return { rows, next: nextCursor(numbers, ROWS_A_MESSAGE, ({ key }) => key) };
    }),
    answer(storeTestEvent, async (event) => {
      await keepTestNumber(pool, event);
      return {};
    }),
  ];
}

const outboundOf = (transfer: Transfer) => ({
  transfer_id: transfer.reference,
  merchant: { id: transfer.merchantId, mode: transfer.mode },
  amount: transfer.amount,
  order: orderOf(transfer),
  outcome: transfer.status === "pending" ? null : transfer.status,
});

function eventOf({ key, merchantId, mode, sequence, deliveryNumber, recordedAt }: NumberRow, transfer?: Transfer) {
  const end = parseEventKey(key).end as End;
  return {
    key,
    merchant: { id: merchantId, mode },
    transfer: transfer ? completedTransfer(transfer, end) : null,
    sequence: Number(sequence),
    delivery_number: deliveryNumber === null ? null : Number(deliveryNumber),
    recorded_at: recordedAt,
  };
}

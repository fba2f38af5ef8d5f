import { answer, type Epochs, type Request, ROWS_A_MESSAGE } from "@collect/bus";
import { listTransferEvents, storeTestEvent } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { nextCursor } from "../domain/change-cursor.ts";
import { attachedFactsOf } from "../inbound/store/collection-facts.ts";
import { readReversals } from "../inbound/store/reversals.ts";
import { reversedFact } from "../inbound/use-cases/reverse-collection.ts";
import type { End } from "../outbound/domain/transfer.ts";
import { completedTransfer, parseEventKey } from "../outbound/domain/transfer-record.ts";
import { readTransfers } from "../outbound/store/transfer-recovery.ts";
import { attachedOf, eventNumbers, keepTestNumber, type NumberRow, reversedOf } from "../store/event-numbers.ts";

/** Answers what a restored webhooks asks about events that only payments can describe: their numbers, and what they say. */
export function eventRecoveryRequests({ pool, epochs }: { pool: Pool; epochs: Epochs }): Request[] {
  return [
    answer(listTransferEvents, async ({ since, after }) => {
      epochs.assertCurrent();
      const numbers = await eventNumbers(pool, { since, after, limit: ROWS_A_MESSAGE });
      const [transfers, collections, reversals] = await Promise.all([
        readTransfers(
          pool,
          numbers.map(({ key }) => parseEventKey(key).reference),
        ),
        attachedFactsOf(
          pool,
          numbers.flatMap(({ key }) => attachedOf(key) ?? []),
        ),
        readReversals(
          pool,
          numbers.flatMap(({ key }) => reversedOf(key) ?? []),
        ),
      ]);
      const reversed = new Map(reversals.map((row) => [row.intakeId, reversedFact(row)]));
      const transferOf = new Map(transfers.map((transfer) => [transfer.reference, transfer]));
      const attached = new Map(collections.map((collection) => [collection.intakeId, collection]));
      const rows = numbers.map((number) => {
        const { reference, end } = parseEventKey(number.key);
        const transfer = transferOf.get(reference);
        return {
          ...numbersOf(number),
          transfer: transfer ? completedTransfer(transfer, end as End) : null,
          attached: attached.get(attachedOf(number.key) ?? ""),
          reversed: reversed.get(reversedOf(number.key) ?? ""),
        };
      });
      return { rows, next: nextCursor(numbers, ROWS_A_MESSAGE, ({ key }) => key) };
    }),
    answer(storeTestEvent, async (event) => {
      await keepTestNumber(pool, event);
      return {};
    }),
  ];
}

const numbersOf = ({ key, merchantId, mode, sequence, deliveryNumber, recordedAt }: NumberRow) => ({
  key,
  merchant: { id: merchantId, mode },
  sequence: Number(sequence),
  delivery_number: deliveryNumber === null ? null : Number(deliveryNumber),
  recorded_at: recordedAt,
});

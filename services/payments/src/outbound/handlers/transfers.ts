import { answer, type Consumer, consumeByStatement, type Epochs, type Request } from "@collect/bus";
import { createTransfer, getTransfer, isReferenceOf, transferRecorded } from "@collect/contracts";
import { keepEventNumbers } from "../../store/event-numbers.ts";
import { parseEventKey, toTransferResponse } from "../domain/transfer-record.ts";
import { markNotified } from "../store/transfer-steps.ts";
import { findTransfer } from "../store/transfers.ts";
import { missingTransfer } from "../use-cases/missing-transfer.ts";
import { type OrderDeps, orderTransfer } from "../use-cases/order-transfer.ts";

type Deps = OrderDeps & { epochs: Epochs };

export function transferRequests(deps: Deps): Request[] {
  const { pool, epochs } = deps;
  return [
    answer(createTransfer, async (order, context) => {
      epochs.assertCurrent();
      const { transfer, created } = await orderTransfer(deps, order, context);
      return { transfer: toTransferResponse(transfer), created };
    }),

    answer(getTransfer, async ({ merchant, reference }) => {
      const transfer = isReferenceOf("trf", reference) ? await findTransfer(pool, merchant, reference) : undefined;
      return toTransferResponse(transfer ?? missingTransfer(epochs));
    }),
  ];
}

/** webhooks has recorded the merchant's event, so the fact is not published again. */
export function acceptRecordedEvents(worker: OrderDeps["worker"]): Consumer {
  return consumeByStatement(transferRecorded, { batchMax: 300 }, async ({ tx, afterwards }, recorded) => {
    await keepEventNumbers(tx, recorded);
    const modes = await markNotified(
      tx,
      recorded.map(({ key }) => parseEventKey(key)),
    );
    afterwards(() => {
      for (const mode of modes) worker.wake(mode);
    });
  });
}

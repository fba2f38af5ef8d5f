import { answer, type Consumer, consumeByStatement, type Epochs, type Request } from "@collect/bus";
import {
  assertOneStart,
  browseTransfers,
  createTransfer,
  cursorPageOf,
  getTransfer,
  isReferenceOf,
  listTransfers,
  Problem,
  showTransfer,
  toPage,
  transferRecorded,
} from "@collect/contracts";
import { requestedPage } from "../../domain/page.ts";
import { keepEventNumbers } from "../../store/event-numbers.ts";
import type { PrismaClient } from "../../store/prisma.ts";
import type { Transfer } from "../domain/transfer.ts";
import { parseEventKey, toTransferResponse } from "../domain/transfer-record.ts";
import { findListedTransfer, listTransfers as readTransfers } from "../store/transfer-lists.ts";
import { markNotified } from "../store/transfer-steps.ts";
import { findTransfer } from "../store/transfers.ts";
import { type OrderDeps, orderTransfer } from "../use-cases/order-transfer.ts";

type Deps = OrderDeps & { epochs: Epochs; prisma: PrismaClient };

export function transferRequests(deps: Deps): Request[] {
  const { pool } = deps;
  return [
    answer(createTransfer, async (order, context) => {
      deps.epochs.assertCurrent();
      const { transfer, created } = await orderTransfer(deps, order, context);
      return { transfer: toTransferResponse(transfer), created };
    }),

    answer(getTransfer, async ({ merchant, reference }) => {
      const transfer = isReferenceOf("trf", reference) ? await findTransfer(pool, merchant, reference) : undefined;
      return toTransferResponse(transfer ?? missing(deps));
    }),

    ...listing(deps),
  ];
}

/** Transfers, for merchants' servers and the dashboard. */
function listing(deps: Deps): Request[] {
  const { prisma } = deps;
  return [
    answer(listTransfers, async ({ merchant, status, reference, limit, offset, after }) => {
      // A restored list lacks rows for a while: a merchant that reads on from here would miss them.
      deps.epochs.assertCurrent();
      assertOneStart({ after, offset });
      const filter = { status: status === "all" ? undefined : status, merchantReference: reference };
      const rows = await readTransfers(prisma, merchant, { page: requestedPage({ limit, after }), offset, filter });
      return { ...cursorPageOf(toPage(rows, { limit, ...SHOWN }), { limit, mode: merchant.mode }), offset };
    }),

    answer(browseTransfers, async ({ merchant, limit, status, approval, search, ...range }) => {
      const page = requestedPage({ limit, ...range });
      const filter = { status: status === "all" ? undefined : status, approval, search };
      const rows = await readTransfers(prisma, merchant, { page, filter });
      if (rows.length === 0) deps.epochs.assertCurrent();
      return toPage(rows, { limit, ...SHOWN });
    }),

    answer(showTransfer, async ({ merchant, reference }) => {
      const found = isReferenceOf("trf", reference) ? await findListedTransfer(prisma, merchant, reference) : undefined;
      const transfer = found ?? missing(deps);
      const { sentAt, reversedAt, heldFor } = transfer;
      const steps = { sent_at: sentAt, reversed_at: reversedAt, held_for: heldFor };
      return { transfer: toTransferResponse(transfer), ...steps, ...approvalOf(transfer) };
    }),
  ];
}

const SHOWN = {
  cursor: ({ createdAt, reference }: Transfer) => [createdAt, reference],
  toResponse: toTransferResponse,
};

const approvalOf = ({ orderedBy, approval, approvalBy, approvalAt }: Transfer) => ({
  ordered_by: orderedBy,
  approval: approval && { state: approval, by: approvalBy, at: approvalAt },
});

/**
 * Refuses as not found. A merchant sends a transfer again that is said not to exist, perhaps under another reference, so a
 * recovering database must not say that of a transfer that it has lost.
 */
function missing({ epochs }: Deps): never {
  epochs.assertCurrent();
  throw new Problem("not_found", "There is no such transfer.");
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

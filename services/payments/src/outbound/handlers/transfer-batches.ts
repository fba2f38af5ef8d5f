import { answer, type Epochs, type Request } from "@collect/bus";
import {
  approveTransferBatch,
  browseBatchLines,
  browseTransferBatches,
  confirmTransferBatch,
  decodeCursor,
  discardTransferBatch,
  type Input,
  isReferenceOf,
  type MerchantScope,
  Problem,
  type RequestContext,
  reopenTransferBatch,
  showTransferBatch,
  toPage,
  uploadTransferBatch,
} from "@collect/contracts";
import { z } from "zod";
import { requestedPage } from "../../domain/page.ts";
import { toBatchResponse, toLineResponse } from "../domain/batch-record.ts";
import type { BatchLine } from "../domain/transfer-batch.ts";
import { listLines } from "../store/batch-lines.ts";
import { deleteBatch, findBatch, listBatches } from "../store/transfer-batches.ts";
import { approveBatch, confirmBatch, reopenBatch } from "../use-cases/confirm-batch.ts";
import { assertMayApprove } from "../use-cases/may-approve.ts";
import type { OrderDeps } from "../use-cases/order-transfer.ts";
import { uploadBatch } from "../use-cases/upload-batch.ts";

type Deps = OrderDeps & { epochs: Epochs; batches: OrderDeps["worker"] };

/** Files of many transfers, for the dashboard. A repeat of each call gets the same response. */
export function transferBatchRequests(deps: Deps): Request[] {
  return [
    answer(uploadTransferBatch, async ({ merchant, name, content }, { actor }) => {
      deps.epochs.assertCurrent();
      const { reference, created } = await uploadBatch(deps, { merchant, name, content, by: actor });
      return { batch: await woken(deps, merchant, reference), created };
    }),
    answer(confirmTransferBatch, (input, { actor }) => confirm(deps, input, actor)),
    answer(approveTransferBatch, (input, { actor }) => approve(deps, input, actor)),
    answer(reopenTransferBatch, async ({ merchant, reference }) => {
      deps.epochs.assertCurrent();
      const batch = await find(deps, merchant, reference);
      if (batch.state === "sent") await reopenBatch(deps, batch);
      return woken(deps, merchant, reference);
    }),
    answer(discardTransferBatch, async ({ merchant, reference }) => {
      deps.epochs.assertCurrent();
      await find(deps, merchant, reference);
      if (!(await deleteBatch(deps.pool, reference)))
        throw new Problem(
          "conflict",
          "This file is being sent, or some of it was: its transfers cannot be taken back.",
        );
      return {};
    }),
    ...reading(deps),
  ];
}

function reading(deps: Deps): Request[] {
  const { pool, epochs } = deps;
  return [
    answer(showTransferBatch, async ({ merchant, reference }) =>
      toBatchResponse(await find(deps, merchant, reference)),
    ),

    answer(browseTransferBatches, async ({ merchant, state, limit, after }) => {
      const rows = await listBatches(pool, merchant, { page: requestedPage("bat_", { limit, after }), state });
      if (rows.length === 0) epochs.assertCurrent();
      return toPage(rows, {
        limit,
        cursor: ({ createdAt, reference }) => [createdAt, reference],
        toResponse: toBatchResponse,
      });
    }),

    answer(browseBatchLines, async ({ merchant, reference, limit, after, only }) => {
      const batch = await find(deps, merchant, reference);
      const [line = "0"] = decodeCursor(after, [z.string().regex(/^\d{1,6}$/)]) ?? [];
      const rows = await listLines(pool, { batch: batch.reference, after: Number(line), limit: limit + 1, only });
      return toPage(rows, { limit, cursor: ({ line }: BatchLine) => [line], toResponse: toLineResponse });
    }),
  ];
}

async function confirm(deps: Deps, input: Input<typeof confirmTransferBatch>, by: RequestContext["actor"]) {
  const { merchant, reference, lines, total } = input;
  deps.epochs.assertCurrent();
  const batch = await find(deps, merchant, reference);
  if (batch.state === "checking")
    throw new Problem("conflict", "The lines are still being checked. Nothing was sent. Confirm when that is done.");
  if (batch.state === "checked" && batch.faulty > 0)
    throw new Problem("conflict", "Some lines have faults. Nothing was sent. Correct the file and upload it again.");
  if (batch.state === "checked") await confirmBatch(deps, { batch, by, seen: { lines, total } });
  return woken(deps, merchant, reference);
}

async function approve(deps: Deps, input: Input<typeof approveTransferBatch>, by: RequestContext["actor"]) {
  const { merchant, reference, approving_since: since, confirmed_at: confirmedAt } = input;
  deps.epochs.assertCurrent();
  const batch = await find(deps, merchant, reference);
  if (batch.confirmedAt === null || Date.parse(batch.confirmedAt) !== Date.parse(confirmedAt))
    throw new Problem("conflict", "This file does not wait for this approval. Nothing was sent. Open it again.");
  if (batch.state === "awaiting_approval") {
    assertMayApprove({ orderedBy: batch.confirmedBy, mode: batch.mode }, by, since);
    await approveBatch(deps, { batch, by, since });
  }
  const approved = await woken(deps, merchant, reference);
  if (!approved.approved_by) throw new Problem("conflict", "This file does not wait for an approval.");
  return approved;
}

/** The file as it is now; what is due is continued at once. */
async function woken(deps: Deps, merchant: MerchantScope, reference: string) {
  deps.batches.wake(merchant.mode);
  return toBatchResponse(await find(deps, merchant, reference));
}

async function find({ pool, epochs }: Deps, merchant: MerchantScope, reference: string) {
  const found = isReferenceOf("bat", reference) ? await findBatch(pool, merchant, reference) : undefined;
  if (found) return found;
  epochs.assertCurrent();
  throw new Problem("not_found", "There is no such file.");
}

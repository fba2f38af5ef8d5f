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
  resumeTransferBatch,
  showTransferBatch,
  toPage,
  uploadTransferBatch,
} from "@collect/contracts";
import { transaction } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { z } from "zod";
import { requestedPage } from "../../domain/page.ts";
import { readBatchFile } from "../domain/batch-file.ts";
import { toBatchResponse, toLineResponse } from "../domain/batch-record.ts";
import { batchReference } from "../domain/reference.ts";
import type { BatchLine } from "../domain/transfer-batch.ts";
import { insertLines, listLines } from "../store/batch-lines.ts";
import {
  countOpenBatches,
  deleteBatch,
  findBatch,
  insertBatch,
  listBatches,
  lockBatches,
  markBatchApproved,
} from "../store/transfer-batches.ts";
import { confirmBatch, resumeBatch } from "../use-cases/confirm-batch.ts";
import { assertMayApprove } from "../use-cases/may-approve.ts";
import type { OrderDeps } from "../use-cases/order-transfer.ts";

type Deps = OrderDeps & { epochs: Epochs; batches: OrderDeps["worker"] };

/** How many files of a merchant and mode can be unfinished at once. */
const OPEN_MAX = 20;

/** Files of many transfers, for the dashboard. A repeat of each call gets the same response. */
export function transferBatchRequests(deps: Deps): Request[] {
  return [
    answer(uploadTransferBatch, (input, context) => upload(deps, input, context)),
    answer(confirmTransferBatch, (input, { actor }) => confirm(deps, input, actor)),
    answer(approveTransferBatch, (input, { actor }) => approve(deps, input, actor)),
    answer(resumeTransferBatch, async ({ merchant, reference }) => {
      const batch = await find(deps, merchant, reference);
      if (batch.state === "sent") await resumeBatch(deps, { merchant, batch });
      return woken(deps, merchant, reference);
    }),
    answer(discardTransferBatch, async ({ merchant, reference }) => {
      await find(deps, merchant, reference);
      if (!(await deleteBatch(deps.pool, reference)))
        throw new Problem("conflict", "This file is being sent, or was: its transfers cannot be taken back.");
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

    answer(browseTransferBatches, async ({ merchant, limit, after }) => {
      const rows = await listBatches(pool, merchant, requestedPage({ limit, after }));
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

/** Its lines are stored with it: a file is there as a whole or not at all. */
async function upload(
  deps: Deps,
  { merchant, name, content }: Input<typeof uploadTransferBatch>,
  context: RequestContext,
) {
  const { config, pool, standings, epochs, batches } = deps;
  epochs.assertCurrent();
  const lines = readBatchFile(content, merchant.mode);
  await standings.assertMayCreate(merchant);
  const reference = batchReference(config.TRANSFER_KEY, merchant, lines);
  const total = lines.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const batch = { reference, merchantId: merchant.id, mode: merchant.mode, name, lines: lines.length, total };
  const createdBy = context.actor.kind === "anonymous" ? null : context.actor;
  const created = await transaction(pool, async (tx) => {
    await lockBatches(tx, merchant);
    if (await findBatch(tx, merchant, reference)) return false;
    if ((await countOpenBatches(tx, merchant)) >= OPEN_MAX)
      throw new Problem("conflict", `${OPEN_MAX} files are unfinished. Send or discard one of them first.`);
    const inserted = await insertBatch(tx, { ...batch, createdBy });
    if (inserted) await insertLines(tx, batch, lines);
    return inserted;
  });
  if (created) {
    failpoint("committed");
    batches.wake(merchant.mode);
  }
  return { batch: toBatchResponse(await find(deps, merchant, reference)), created };
}

async function confirm(deps: Deps, input: Input<typeof confirmTransferBatch>, by: RequestContext["actor"]) {
  const { merchant, reference, lines, total } = input;
  deps.epochs.assertCurrent();
  const batch = await find(deps, merchant, reference);
  if (batch.lines !== lines || batch.total !== total)
    throw new Problem("conflict", "The file has other lines than you were shown. Nothing was sent. Open it again.");
  if (batch.state === "checking")
    throw new Problem("conflict", "The lines are still being checked. Nothing was sent. Confirm when that is done.");
  if (batch.state === "checked" && batch.faulty > 0)
    throw new Problem("conflict", "Some lines have faults. Nothing was sent. Correct the file and upload it again.");
  if (batch.state === "checked") await confirmBatch(deps, { merchant, batch, by });
  return woken(deps, merchant, reference);
}

async function approve(deps: Deps, input: Input<typeof approveTransferBatch>, by: RequestContext["actor"]) {
  const { merchant, reference, approving_since: since } = input;
  const { confirmedBy, mode, state } = await find(deps, merchant, reference);
  if (state === "awaiting_approval") {
    assertMayApprove({ orderedBy: confirmedBy, mode }, by, since);
    if (await markBatchApproved(deps.pool, reference, { by, since })) failpoint("committed");
  }
  const batch = await woken(deps, merchant, reference);
  if (!batch.approved_by) throw new Problem("conflict", "This file does not wait for an approval.");
  return batch;
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

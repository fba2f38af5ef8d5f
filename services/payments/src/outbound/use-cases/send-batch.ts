import { isRefusal } from "@collect/contracts";
import { failpoint } from "@collect/runtime";
import { type Batch, type BatchLine, merchantOf } from "../domain/transfer-batch.ts";
import { markApproved } from "../store/approvals.ts";
import { findUnordered, type LineOutcome, storeOutcomes } from "../store/batch-lines.ts";
import { extendLease, markSent } from "../store/transfer-batches.ts";
import { LINES_AT_ONCE } from "./check-batch.ts";
import { type OrderDeps, orderTransfer } from "./order-transfer.ts";

type Deps = OrderDeps & { leaseMs: number };

/**
 * Orders every line as a transfer of its own, by the way that single orders take. A line that was ordered before, by a process
 * that died or by another one at the same moment, is found under its reference: it is the same transfer.
 */
export async function sendBatch(deps: Deps, batch: Batch): Promise<void> {
  const { pool, leaseMs } = deps;
  for (;;) {
    const lines = await findUnordered(pool, batch.reference, LINES_AT_ONCE);
    if (lines.length === 0) break;
    const results = await Promise.allSettled(lines.map((line) => orderLine(deps, batch, line)));
    failpoint("ordered");
    await storeOutcomes(
      pool,
      batch.reference,
      results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
    );
    const unknown = results.find((result) => result.status === "rejected");
    if (unknown) throw unknown.reason;
    if (!(await extendLease(pool, batch, leaseMs))) return;
  }
  await markSent(pool, batch.reference);
}

/** An error that does not prove that nothing was ordered is thrown: the line is tried again. */
async function orderLine(deps: Deps, batch: Batch, line: BatchLine): Promise<LineOutcome> {
  const { amount, bankCode: bank_code, accountNumber: account_number, reference, narration } = line;
  if (amount === null || !batch.confirmedBy)
    throw new Error(`line ${line.line} of ${batch.reference} was not confirmed`);
  const order = { merchant: merchantOf(batch), amount, bank_code, account_number, reference };
  try {
    const context = { requestId: batch.reference, actor: batch.confirmedBy };
    const { transfer } = await orderTransfer(deps, { ...order, ...(narration !== null && { narration }) }, context);
    if (transfer.approval === "required") await approveWithBatch(deps, batch, transfer);
    return { line: line.line, outcome: "ordered", refusal: null, transfer: transfer.reference };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { line: line.line, outcome: "refused", refusal: error.detail, transfer: null };
  }
}

/** Whoever approved the file has approved its lines; without that, the line waits for an approval of its own. */
async function approveWithBatch(
  { pool, worker }: Deps,
  { approvedBy, approverSince, mode }: Batch,
  transfer: Parameters<typeof markApproved>[1],
): Promise<void> {
  if (!approvedBy || !approverSince) return;
  if (await markApproved(pool, transfer, { by: approvedBy, since: approverSince })) worker.wake(mode);
}

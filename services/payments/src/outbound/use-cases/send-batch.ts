import { isRefusal } from "@collect/contracts";
import { transaction } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { type Batch, type BatchLine, INTERRUPTED, merchantOf, repeatFault } from "../domain/transfer-batch.ts";
import { markApproved } from "../store/approvals.ts";
import {
  adoptTransfers,
  countFailures,
  findRepeats,
  findUnordered,
  LINES_AT_ONCE,
  type LineOutcome,
  lockOpenLine,
  refuseOpenLines,
  storeOutcomes,
} from "../store/batch-lines.ts";
import { lockStaleBatch, markSent } from "../store/batch-steps.ts";
import { insertTransfer } from "../store/transfers.ts";
import type { Round } from "./check-batch.ts";
import { type InsertTransfer, type OrderDeps, orderTransfer } from "./order-transfer.ts";

/**
 * Orders a few lines as transfers of their own, by the way that single orders take. A line that was ordered before, by a process
 * that died or by another one at the same moment, is found under its reference: it is the same transfer.
 */
export async function sendRound(deps: OrderDeps, batch: Batch): Promise<Round> {
  const { pool } = deps;
  const lines = await findUnordered(pool, batch.reference, LINES_AT_ONCE);
  if (lines.length === 0) {
    await markSent(pool, batch.reference);
    return "over";
  }
  const paid = await paidSince(deps, batch, lines);
  const results = await Promise.allSettled(lines.map((line) => paid.get(line.line) ?? orderLine(deps, batch, line)));
  failpoint("ordered");
  const outcomes = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  await storeOutcomes(pool, batch, outcomes);
  await countFailures(
    pool,
    batch.reference,
    lines.filter((_, place) => results[place]?.status === "rejected"),
  );
  return outcomes.length > 0 ? "progress" : "nothing";
}

/** What single orders have paid since the confirmation. A reference of the file's own is looked up with the order. */
async function paidSince({ pool }: OrderDeps, batch: Batch, lines: BatchLine[]): Promise<Map<number, LineOutcome>> {
  const found = await findRepeats(pool, batch, { lines: lines.map(({ line }) => line) });
  const repeats = found.filter(({ hasOwnReference }) => !hasOwnReference);
  return new Map(repeats.map((repeat) => [repeat.line, refused(repeat.line, repeatFault(repeat).message)]));
}

/** An error that does not prove that nothing was ordered is thrown, and so is the operator's stop: the line is tried again. */
async function orderLine(deps: OrderDeps, batch: Batch, line: BatchLine): Promise<LineOutcome> {
  const { amount, bankCode: bank_code, accountNumber: account_number, reference, narration } = line;
  if (amount === null || !batch.confirmedBy)
    throw new Error(`line ${line.line} of ${batch.reference} was not confirmed`);
  const order = { merchant: merchantOf(batch), amount, bank_code, account_number, reference };
  try {
    const context = { requestId: batch.reference, actor: batch.confirmedBy };
    const terms = { ...order, ...(narration !== null && { narration }) };
    const { transfer } = await orderTransfer(deps, terms, context, insertFor(batch, line));
    if (transfer.approval === "required") await approveWithBatch(deps, batch, transfer);
    return { line: line.line, outcome: "ordered", refusal: null, transfer: transfer.reference };
  } catch (error) {
    if (!isRefusal(error) || error.code === "payouts_stopped") throw error;
    return refused(line.line, error.detail);
  }
}

const refused = (line: number, refusal: string): LineOutcome => ({ line, outcome: "refused", refusal, transfer: null });

/** In one transaction with the look at the line: it becomes a transfer only while it may. */
const insertFor =
  (batch: Batch, { line }: BatchLine): InsertTransfer =>
  (pool, transfer, leaseMs) =>
    transaction(pool, async (tx) => {
      if (await lockOpenLine(tx, batch, line)) return insertTransfer(tx, transfer, leaseMs);
      throw new Error(`line ${line} of ${batch.reference} is no longer to be ordered`);
    });

/** The approval of the file is that of its lines; without one, the line waits for an approval of its own. */
async function approveWithBatch(
  { pool, worker }: OrderDeps,
  { approvedBy, approverSince, mode }: Batch,
  transfer: Parameters<typeof markApproved>[1],
): Promise<void> {
  if (!approvedBy || !approverSince) return;
  if (await markApproved(pool, transfer, { by: approvedBy, since: approverSince })) worker.wake(mode);
}

/**
 * Ends a file that was interrupted for so long that people may have paid its lines in another way: they decide how it goes on. A line
 * whose transfer is not reserved yet is adopted or refused once it is.
 */
export async function refuseStale({ pool }: Pick<OrderDeps, "pool">, batch: Batch): Promise<void> {
  await transaction(pool, async (tx) => {
    if (!(await lockStaleBatch(tx, batch.reference))) return;
    await adoptTransfers(tx, batch, { own: true });
    await refuseOpenLines(tx, batch.reference, INTERRUPTED);
    await markSent(tx, batch.reference);
  });
}

import { type Actor, type MerchantScope, Problem } from "@collect/contracts";
import { type Transaction, transaction } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { type Batch, needsApproval, refusalOfAll, repeatFault } from "../domain/transfer-batch.ts";
import { findRepeats, largestLine, reopenRefused, storeFaults } from "../store/batch-lines.ts";
import { lockBatches, markConfirmed, markResumed } from "../store/transfer-batches.ts";
import type { OrderDeps } from "./order-transfer.ts";
import { assertPayoutsRun } from "./payouts-run.ts";

type Given = { merchant: MerchantScope; batch: Batch; by: Actor };

/**
 * Confirms a checked file, if the balance and the limits allow all of its lines together. Files of one merchant are confirmed one
 * after the other, so a line that two of them have without a reference is found in the second.
 */
export async function confirmBatch(deps: OrderDeps, { merchant, batch, by }: Given): Promise<void> {
  const { pool, ledger, standings, times } = deps;
  await Promise.all([standings.assertMayCreate(merchant), assertPayoutsRun(pool, merchant.mode)]);
  const [settled, limits, largest] = await Promise.all([
    ledger.settled(merchant),
    ledger.limits(merchant),
    largestLine(pool, batch.reference),
  ]);
  const refusal = refusalOfAll({ total: batch.total, largest }, { settled, limits });
  if (refusal) throw new Problem(refusal.code, refusal.detail);
  const confirmed = await transaction(pool, async (tx) => {
    await lockBatches(tx, merchant);
    const repeats = await markRepeats(tx, merchant, batch);
    const terms = { by, needsApproval: needsApproval(batch.total, limits), approvalMs: times.approvalMs };
    return repeats === 0 && (await markConfirmed(tx, { reference: batch.reference, ...terms })) ? "yes" : repeats;
  });
  if (typeof confirmed === "number" && confirmed > 0)
    throw new Problem(
      "conflict",
      `${confirmed === 1 ? "1 line was" : `${confirmed} lines were`} ordered in the meantime. Nothing was sent. The file shows which.`,
    );
  if (confirmed === "yes") failpoint("committed");
}

/** Has the refused lines tried again, but for those that were paid in another way since. */
export async function resumeBatch({ pool }: OrderDeps, { merchant, batch }: Omit<Given, "by">): Promise<void> {
  await transaction(pool, async (tx) => {
    await lockBatches(tx, merchant);
    await markRepeats(tx, merchant, batch);
    if ((await reopenRefused(tx, batch.reference)) > 0) await markResumed(tx, batch.reference);
  });
}

async function markRepeats(tx: Transaction, merchant: MerchantScope, { reference }: Batch): Promise<number> {
  const repeats = await findRepeats(tx, merchant, reference);
  await storeFaults(
    tx,
    reference,
    repeats.map((repeat) => ({ line: repeat.line, fault: repeatFault(repeat) })),
  );
  return repeats.length;
}

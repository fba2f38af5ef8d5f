import { type Actor, conflictIn, Problem } from "@collect/contracts";
import { transaction } from "@collect/database";
import { failpoint } from "@collect/runtime";
import {
  type Batch,
  merchantOf,
  needsApproval,
  type Open,
  refusalOfAll,
  repeatFault,
} from "../domain/transfer-batch.ts";
import { adoptTransfers, findRepeats, reopenRefused, storeRefusals, sumOpenLines } from "../store/batch-lines.ts";
import { markBatchApproved, markConfirmed, markLapsed, markReopened } from "../store/batch-steps.ts";
import { confirmedToday, lockBatchAsRead } from "../store/transfer-batches.ts";
import { markRepeats } from "./mark-repeats.ts";
import type { OrderDeps } from "./order-transfer.ts";
import { payingPartner } from "./payouts-run.ts";

/**
 * Confirms a checked file, if the balance and the limits allow all of its open lines together. Files of one merchant are confirmed
 * and approved one after the other, so a line that two of them have without a reference is found in the second. What was confirmed
 * in the meantime stays as it is: its own transfers are no repeats.
 */
export async function confirmBatch(
  deps: OrderDeps,
  { batch, by, seen }: { batch: Batch; by: Actor; seen: Pick<Open, "lines" | "total"> },
): Promise<void> {
  const { pool, times } = deps;
  const merchant = merchantOf(batch);
  const { limits, open } = await assertAllowed(deps, batch);
  if (open.lines !== seen.lines || open.total !== seen.total)
    throw new Problem("conflict", "The file has other lines than you were shown. Nothing was sent. Open it again.");
  const repeats = await transaction(pool, async (tx) => {
    if (!(await lockBatchAsRead(tx, batch))) return 0;
    const repeats = await markRepeats(tx, batch);
    if (repeats > 0) return repeats;
    const today = await confirmedToday(tx, merchant, batch.reference);
    const terms = { by, needsApproval: needsApproval(batch.total, { today, limits }), approvalMs: times.approvalMs };
    await markConfirmed(tx, { reference: batch.reference, ...terms });
    return 0;
  });
  if (repeats > 0) throw paidMeanwhile(repeats);
  failpoint("committed");
}

/**
 * The second person's approval of a confirmation. What was paid since is looked for once more: then nothing is sent, and the file has
 * to be corrected.
 */
export async function approveBatch(
  deps: OrderDeps,
  { batch, by, since }: { batch: Batch; by: Actor; since: string },
): Promise<void> {
  await assertAllowed(deps, batch);
  const repeats = await transaction(deps.pool, async (tx) => {
    if (!(await lockBatchAsRead(tx, batch))) return 0;
    const repeats = await markRepeats(tx, batch);
    if (repeats > 0) await markLapsed(tx, batch);
    else await markBatchApproved(tx, batch, { by, since });
    return repeats;
  });
  if (repeats > 0) throw paidMeanwhile(repeats);
  failpoint("committed");
}

/**
 * Takes a file whose lines were refused back to its confirmation, but for the lines that were paid in another way since. Who tries them
 * again confirms them anew, with all that a confirmation is checked for.
 */
export async function reopenBatch({ pool, times }: OrderDeps, batch: Batch): Promise<void> {
  const reopened = await transaction(pool, async (tx) => {
    if (!(await lockBatchAsRead(tx, batch))) return undefined;
    await adoptTransfers(tx, batch, { own: true });
    const repeats = await findRepeats(tx, batch, { outcome: "refused" });
    const refusals = repeats.map((repeat) => ({ line: repeat.line, refusal: repeatFault(repeat).message }));
    await storeRefusals(tx, batch.reference, refusals);
    const kept = repeats.map(({ line }) => line);
    const reopened = await reopenRefused(tx, batch.reference, kept);
    if (reopened > 0 && !(await markReopened(tx, batch.reference, times.approvalMs)))
      throw new Problem("conflict", LATE);
    return reopened;
  });
  if (reopened === 0) throw new Problem("conflict", "Every line was ordered, or paid in another way since.");
}
const LATE =
  "This file was confirmed too long ago to be tried again. Upload the lines that were not sent as a new file.";

/** Of the merchant, the switch, the balance and the limits, for all lines that are not ordered yet. */
async function assertAllowed(deps: OrderDeps, batch: Batch) {
  const { pool, ledger, standings } = deps;
  const merchant = merchantOf(batch);
  await Promise.all([standings.assertMayCreate(merchant), payingPartner(deps, merchant)]);
  // What a restored database has forgotten of this file, or an earlier upload of it has paid, is not paid again.
  await adoptTransfers(pool, batch, { own: false });
  const [settled, limits, open] = await Promise.all([
    ledger.settled(merchant),
    ledger.limits(merchant),
    sumOpenLines(pool, batch.reference),
  ]);
  const refusal = refusalOfAll(open, { settled, limits });
  if (refusal) throw new Problem(refusal.code, refusal.detail);
  return { limits, open };
}

const paidMeanwhile = (lines: number) => {
  const message = `${lines === 1 ? "1 line was" : `${lines} lines were`} paid in another way in the meantime, or are about to be. Nothing was sent. The file shows which.`;
  return conflictIn("lines", "paid_meanwhile", message);
};

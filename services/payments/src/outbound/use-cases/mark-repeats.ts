import type { Transaction } from "@collect/database";
import { type Batch, repeatFault } from "../domain/transfer-batch.ts";
import { findRepeats, storeFaults } from "../store/batch-lines.ts";

/**
 * Marks the lines that were paid in another way since, or are about to be. Returns how many there are. Only of a file that is locked as it
 * was read: the transfers of one that is being sent would be found as repeats of its lines.
 */
export async function markRepeats(tx: Transaction, batch: Batch): Promise<number> {
  const repeats = await findRepeats(tx, batch);
  const faults = repeats.map((repeat) => ({ line: repeat.line, fault: repeatFault(repeat) }));
  await storeFaults(tx, batch.reference, faults);
  return repeats.length;
}

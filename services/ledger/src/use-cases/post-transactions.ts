import type { Session } from "@collect/database";
import type { Logger } from "@collect/runtime";
import type { Transaction } from "../domain/transaction.ts";
import { KeyTaken, type Posted, postBatch } from "../store/post-batch.ts";

/** Facts in one batch: a larger batch gains little and delays the first fact (10,000–15,000/s at 200, 7,000/s at 20). */
export const BATCH_MAX = 200;

export type Posting = { shard: number; log: Logger };

/** Posts a batch. A repeat with other content throws; once the batch has been halved down to it alone, the alarm is raised. */
export async function postOrAlarm<Given extends Transaction>(
  tx: Session,
  log: Logger,
  transactions: Given[],
): Promise<Posted<Given>[]> {
  try {
    return await postBatch(tx, transactions);
  } catch (error) {
    if (transactions.length === 1) alarmIfTaken(log, error);
    throw error;
  }
}

/** Of a transaction that was posted alone. */
export function alarmIfTaken(log: Logger, error: unknown): void {
  if (error instanceof KeyTaken) log.error({ alarm: "key_taken", key: error.key, mode: error.mode }, error.message);
}

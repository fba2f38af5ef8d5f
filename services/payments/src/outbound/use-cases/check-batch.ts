import { isRefusal } from "@collect/contracts";
import type { Pool } from "@collect/database";
import { type Batch, type BatchLine, merchantOf, repeatFault } from "../domain/transfer-batch.ts";
import { type CheckedLine, findRepeats, findUnchecked, storeChecked, storeFaults } from "../store/batch-lines.ts";
import { extendLease, markChecked } from "../store/transfer-batches.ts";
import { enquireForOrder } from "./enquire.ts";
import type { OrderDeps } from "./order-transfer.ts";

type Deps = Pick<OrderDeps, "config" | "banks" | "enquiryLimits"> & { pool: Pool; leaseMs: number };

/** Lines that are worked on at once, and stored together. */
export const LINES_AT_ONCE = 8;

/**
 * Asks the bank for the holder of every account, under the limits of orders: beyond them names are reduced to initials, and too
 * many accounts that do not exist end the questions for an hour. Each few lines are stored, so another process continues there.
 */
export async function checkBatch(deps: Deps, batch: Batch): Promise<void> {
  const { pool, leaseMs } = deps;
  for (;;) {
    const lines = await findUnchecked(pool, batch.reference, LINES_AT_ONCE);
    if (lines.length === 0) break;
    await storeChecked(pool, batch.reference, await Promise.all(lines.map((line) => checkLine(deps, batch, line))));
    if (!(await extendLease(pool, batch, leaseMs))) return;
  }
  const repeats = await findRepeats(pool, merchantOf(batch), batch.reference);
  await storeFaults(
    pool,
    batch.reference,
    repeats.map((repeat) => ({ line: repeat.line, fault: repeatFault(repeat) })),
  );
  await markChecked(pool, batch.reference);
}

async function checkLine(deps: Deps, batch: Batch, { line, bankCode, accountNumber }: BatchLine): Promise<CheckedLine> {
  const account = { bank_code: bankCode, account_number: accountNumber };
  const context = { requestId: batch.reference, actor: batch.createdBy ?? { kind: "anonymous" as const } };
  try {
    const names = await enquireForOrder(deps, { merchant: merchantOf(batch), account, context });
    const { bank_name: bankName, account_name: accountName, isWithheld: nameWithheld } = names;
    return { line, bankName, accountName, nameWithheld, fault: undefined };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const fault = { param: "account_number", code: error.code, message: error.detail };
    return { line, bankName: null, accountName: null, nameWithheld: false, fault };
  }
}

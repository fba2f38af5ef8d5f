import type { PayoutBank } from "@collect/bank";
import { isRefusal } from "@collect/contracts";
import { type Pool, type Transaction, transaction } from "@collect/database";
import { type Batch, type BatchLine, merchantOf } from "../domain/transfer-batch.ts";
import {
  adoptTransfers,
  type CheckedLine,
  countFailures,
  findUnchecked,
  LINES_AT_ONCE,
  storeChecked,
} from "../store/batch-lines.ts";
import { markChecked } from "../store/batch-steps.ts";
import { lockBatchAsRead } from "../store/transfer-batches.ts";
import { enquireForFile } from "./enquire.ts";
import { markRepeats } from "./mark-repeats.ts";
import type { OrderDeps } from "./order-transfer.ts";
import { bankThatNames } from "./resolve-account.ts";

type Deps = Pick<OrderDeps, "config" | "partners" | "enquiryLimits"> & { pool: Pool };

/** What a round achieved: `over` ends the work on the file. */
export type Round = "over" | "progress" | "nothing";

/**
 * Asks the bank for the holders of a few lines' accounts, under the limits of orders: beyond them names are reduced to initials, and
 * too many accounts that do not exist end the questions for an hour. Each round is stored, so another process continues there.
 */
export async function checkRound(deps: Deps, batch: Batch): Promise<Round> {
  const { pool } = deps;
  const lines = await findUnchecked(pool, batch.reference, LINES_AT_ONCE);
  if (lines.length === 0) {
    await transaction(pool, (tx) => endCheck(tx, batch));
    return "over";
  }
  const payouts = await bankThatNames(deps, merchantOf(batch));
  const results = await Promise.allSettled(lines.map((line) => checkLine(deps, batch, { line, payouts })));
  const checked = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  await storeChecked(pool, batch.reference, checked);
  await countFailures(
    pool,
    batch.reference,
    lines.filter((_, place) => results[place]?.status === "rejected"),
  );
  return checked.length > 0 ? "progress" : "nothing";
}

/** Under the lock of a confirmation: a process that slept marks nothing in a file that is confirmed by now. */
async function endCheck(tx: Transaction, batch: Batch): Promise<void> {
  if (!(await lockBatchAsRead(tx, batch))) return;
  await adoptTransfers(tx, batch, { own: false });
  await markRepeats(tx, batch);
  await markChecked(tx, batch.reference);
}

async function checkLine(
  deps: Deps,
  batch: Batch,
  { line: { line, bankCode, accountNumber }, payouts }: { line: BatchLine; payouts: PayoutBank },
): Promise<CheckedLine> {
  const account = { bank_code: bankCode, account_number: accountNumber };
  const context = { requestId: batch.reference, actor: batch.createdBy ?? { kind: "anonymous" as const } };
  try {
    const names = await enquireForFile(deps, { merchant: merchantOf(batch), account, context, payouts });
    const { bank_name: bankName, account_name: accountName, isWithheld: nameWithheld } = names;
    return { line, bankName, accountName, nameWithheld, fault: undefined };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const fault = { param: "account_number", code: error.code, message: error.detail };
    return { line, bankName: null, accountName: null, nameWithheld: false, fault };
  }
}

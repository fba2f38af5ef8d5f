import { type Actor, type MerchantScope, Problem } from "@collect/contracts";
import { type Transaction, transaction } from "@collect/database";
import { failpoint } from "@collect/runtime";
import { readBatchFile } from "../domain/batch-file.ts";
import { batchReference } from "../domain/reference.ts";
import { tooLow } from "../domain/transfer-batch.ts";
import { secondsUntilAllowed } from "../store/account-enquiries.ts";
import { countUnchecked, insertLines } from "../store/batch-lines.ts";
import { recordUpload } from "../store/batch-uploads.ts";
import { countOpenBatches, findBatch, insertBatch, lockBatches } from "../store/transfer-batches.ts";
import type { OrderDeps } from "./order-transfer.ts";

/** How many files of a merchant and mode can be unfinished at once. */
const OPEN_MAX = 20;
const HOUR_S = 3_600;

type Upload = { merchant: MerchantScope; name: string; content: string; by: Actor };

/**
 * Stores a file to be checked, with all of its lines or not at all. The same lines are the same file. In live mode the bank is asked
 * for the holder of every account, so a file has to be one that could be paid, and an hour has a budget of lines.
 */
export async function uploadBatch(
  deps: OrderDeps,
  { merchant, name, content, by }: Upload,
): Promise<{ reference: string; created: boolean }> {
  const { config, pool, ledger, standings } = deps;
  await assertMayUpload(deps, merchant);
  const lines = readBatchFile(content, merchant.mode);
  await standings.assertMayCreate(merchant);
  const reference = batchReference(config.TRANSFER_KEY, merchant, lines);
  if (await findBatch(pool, merchant, reference)) return { reference, created: false };
  const total = lines.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
  const settled = merchant.mode === "live" ? await ledger.settled(merchant) : undefined;
  if (settled !== undefined && total > settled) throw new Problem("insufficient_balance", tooLow(total, settled));
  const batch = { reference, merchantId: merchant.id, mode: merchant.mode, name, lines: lines.length, total };
  const createdBy = by.kind === "anonymous" ? null : by;
  const created = await transaction(pool, async (tx) => {
    await lockBatches(tx, merchant);
    if (await findBatch(tx, merchant, reference)) return false;
    await assertWithinBudget(tx, deps, { merchant, lines: lines.length });
    const inserted = await insertBatch(tx, { ...batch, createdBy });
    if (inserted) await insertLines(tx, batch, lines);
    return inserted;
  });
  if (created) failpoint("committed");
  return { reference, created };
}

/** Every upload counts, also of a file that is known, refused or discarded: each is parsed. */
async function assertMayUpload({ pool, enquiryLimits }: OrderDeps, merchant: MerchantScope): Promise<void> {
  const retryAfterS = await recordUpload(pool, merchant, { perHour: enquiryLimits.files });
  if (retryAfterS === undefined) return;
  throw new Problem(
    "rate_limited",
    `At most ${enquiryLimits.files} files can be uploaded in any 60 minutes. Nothing was sent. Upload this file in ${minutes(retryAfterS)}.`,
    { retryAfterS },
  );
}

/** Under the lock, so that of uploads at the same moment each counts the others. */
async function assertWithinBudget(
  tx: Transaction,
  { enquiryLimits: { fileLines } }: Pick<OrderDeps, "enquiryLimits">,
  { merchant, lines }: { merchant: MerchantScope; lines: number },
): Promise<void> {
  if ((await countOpenBatches(tx, merchant)) >= OPEN_MAX)
    throw new Problem("conflict", `${OPEN_MAX} files are unfinished. Send or discard one of them first.`);
  if (merchant.mode === "test") return;
  const left = fileLines - lines - (await countUnchecked(tx, merchant));
  const budget = { merchantId: merchant.id, purpose: "file", perHour: left + 1 } as const;
  const retryAfterS = left < 0 ? HOUR_S : await secondsUntilAllowed(tx, budget);
  if (retryAfterS === undefined) return;
  throw new Problem(
    "rate_limited",
    `At most ${fileLines.toLocaleString("en")} lines of files can be checked in any 60 minutes. Nothing was sent. Upload this file in ${minutes(retryAfterS)}.`,
    { retryAfterS },
  );
}

const minutes = (seconds: number) => {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? "a minute" : `${count} minutes`;
};

import type { TransferBatch, TransferBatchLine } from "@collect/contracts";
import { shownName } from "./holder-name.ts";
import type { Batch, BatchLine, BatchProgress } from "./transfer-batch.ts";

/** The file as the dashboard shows it. */
export const toBatchResponse = (batch: Batch & BatchProgress): TransferBatch => ({
  reference: batch.reference,
  name: batch.name,
  state: batch.state,
  lines: batch.lines,
  total: batch.total,
  checked: batch.checked,
  faulty: batch.faulty,
  ordered: batch.ordered,
  ordered_total: batch.orderedTotal,
  refused: batch.refused,
  refused_total: batch.refusedTotal,
  created_at: batch.createdAt,
  created_by: batch.createdBy,
  confirmed_at: batch.confirmedAt,
  confirmed_by: batch.confirmedBy,
  approved_at: batch.approvedAt,
  approved_by: batch.approvedBy,
});

export const toLineResponse = (line: BatchLine): TransferBatchLine => ({
  line: line.line,
  amount: line.amount,
  bank_code: line.bankCode,
  bank_name: line.bankName,
  account_number: line.accountNumber,
  account_name:
    line.accountName === null
      ? null
      : shownName({ ...line, accountName: line.accountName, amount: line.amount ?? 0n }, "pending"),
  narration: line.narration,
  reference: line.reference,
  faults: line.faults,
  outcome: line.outcome,
  refusal: line.refusal,
  transfer: line.transfer,
});

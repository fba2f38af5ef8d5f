import { z } from "zod";
import { Actor } from "../actor.ts";
import { Browse, browseOf } from "../browse.ts";
import { Instant, Naira } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** Many transfers from one file: each line is checked before anything moves, and confirmed lines become ordinary transfers. */

/** The largest file, in characters. A file of 1,000 lines has about 60,000. */
export const BATCH_FILE_MAX = 100_000;

export const TRANSFER_BATCH_STATES = ["checking", "checked", "awaiting_approval", "sending", "sent"] as const;
export type TransferBatchState = (typeof TRANSFER_BATCH_STATES)[number];

export const TransferBatch = z.object({
  /** Derived from the file's content: the same lines are the same batch. */
  reference: z.string(),
  name: z.string(),
  /**
   * `checking`: its lines are being checked. `checked`: it can be confirmed if no line has a fault. `awaiting_approval`: it was
   * confirmed, and a second person has to approve it. `sending`: its lines are being ordered. `sent`: every line was ordered or refused.
   */
  state: z.enum(TRANSFER_BATCH_STATES),
  lines: z.int(),
  /** Of the lines whose amount is readable. */
  total: Naira,
  checked: z.int(),
  faulty: z.int(),
  ordered: z.int(),
  ordered_total: Naira,
  refused: z.int(),
  refused_total: Naira,
  created_at: Instant,
  created_by: Actor.nullable(),
  confirmed_at: Instant.nullable(),
  confirmed_by: Actor.nullable(),
  approved_at: Instant.nullable(),
  approved_by: Actor.nullable(),
});
export type TransferBatch = z.output<typeof TransferBatch>;

export const TransferBatchLine = z.object({
  /** The line in the file. */
  line: z.int(),
  /** Null if it is not readable. */
  amount: Naira.nullable(),
  bank_code: z.string(),
  /** Null until it is known. */
  bank_name: z.string().nullable(),
  account_number: z.string(),
  /** As the bank has it, reduced to initials by the same rule as in a transfer; null until it is known. */
  account_name: z.string().nullable(),
  narration: z.string().nullable(),
  /** The reference of its transfer: the file's own, or derived from the batch and the line. */
  reference: z.string(),
  /** Everything that is wrong with it. */
  faults: z.array(z.object({ param: z.string(), code: z.string(), message: z.string() })),
  /** Null until it was ordered or refused. */
  outcome: z.enum(["ordered", "refused"]).nullable(),
  /** Why it was refused. */
  refusal: z.string().nullable(),
  /** The transfer that it became. */
  transfer: z.string().nullable(),
});
export type TransferBatchLine = z.output<typeof TransferBatchLine>;

const aBatch = byScope.extend({ reference: z.string().max(100) });

export const uploadTransferBatch = request({
  subject: "payments.transfer_batch.upload",
  callers: ["dashboard"],
  sealed: "orders",
  meaning: "Have the lines of a CSV file checked. Nothing is ordered; the same lines return the same batch.",
  input: byScope.extend({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters"),
    content: z.string().max(BATCH_FILE_MAX, `must have at most ${BATCH_FILE_MAX.toLocaleString("en")} characters`),
  }),
  output: z.object({ batch: TransferBatch, created: z.boolean() }),
});

export const browseTransferBatches = request({
  subject: "payments.transfer_batch.browse",
  callers: ["dashboard"],
  meaning: "The files of one merchant and mode, newest first.",
  input: byScope.extend({ ...Browse.shape, state: z.enum(TRANSFER_BATCH_STATES).optional() }),
  output: browseOf(TransferBatch),
});

export const showTransferBatch = request({
  subject: "payments.transfer_batch.show",
  callers: ["dashboard"],
  meaning: "One file, and how far it is.",
  input: aBatch,
  output: TransferBatch,
});

export const browseBatchLines = request({
  subject: "payments.transfer_batch.browse_lines",
  callers: ["dashboard"],
  meaning: "The lines of a file in order.",
  input: aBatch.extend({
    ...Browse.shape,
    /** Only those with faults, or only those that were refused. */
    only: z.enum(["faulty", "refused"]).optional(),
  }),
  output: browseOf(TransferBatchLine),
});

export const confirmTransferBatch = request({
  subject: "payments.transfer_batch.confirm",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Order every line of a checked file that is not ordered yet, if the balance and the limits allow them all together. If the files of the day are above the merchant's threshold, a second person approves it first.",
  input: aBatch.extend({
    /** What the person saw of lines that are not ordered yet: refused if the file has others. */
    lines: z.int().min(0),
    total: Naira,
  }),
  output: TransferBatch,
});

export const approveTransferBatch = request({
  subject: "payments.transfer_batch.approve",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Approve a file as a second person: then its lines are ordered, and none waits for an approval of its own. If a line was paid in another way meanwhile, nothing is sent, and the file has to be corrected. In live mode the person must have been allowed to approve for a day.",
  input: aBatch.extend({
    /** The confirmation that the person saw. */
    confirmed_at: Instant,
    /** Since when the person has had a role that may approve, without interruption. */
    approving_since: Instant,
  }),
  output: TransferBatch,
});

export const reopenTransferBatch = request({
  subject: "payments.transfer_batch.reopen",
  callers: ["dashboard"],
  sealed: "orders",
  meaning:
    "Have the refused lines of a file confirmed again, until three days after its confirmation. Those that were paid in another way since stay refused.",
  input: aBatch,
  output: TransferBatch,
});

export const discardTransferBatch = request({
  subject: "payments.transfer_batch.discard",
  callers: ["dashboard"],
  sealed: "orders",
  meaning: "Delete a file that is not being sent and of which nothing was ordered, whether or not it was confirmed.",
  input: aBatch,
  output: z.object({}),
});

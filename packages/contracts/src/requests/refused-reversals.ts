import { z } from "zod";
import { Id } from "../fields.ts";
import { request } from "../message.ts";
import { Reason } from "./statements.ts";

/** Reversals that contradict the books: the ledger refuses them, whatever is repeated. */

export const closeRefusedReversal = request({
  subject: "accounts.reversal.close",
  callers: ["operator"],
  operator: { action: "reversal.closed", detail: ["intake_id", "reason"], result: ["status", "refusal"] },
  meaning:
    "Stop driving a reversal that the ledger refuses, which a person has settled outside of this system: nothing is booked, its row stays, and its dead letters are deleted.",
  deadlineMs: 20_000,
  input: z.object({
    /** Of the reversal. */
    intake_id: Id,
    reason: Reason,
  }),
  output: z.object({
    status: z.enum(["closed", "duplicate"]),
    /** Why the ledger refuses it. Null where it was closed before. */
    refusal: z.string().nullable(),
  }),
});

export const getReversalRefusal = request({
  subject: "ledger.reversal.get_refusal",
  callers: ["accounts"],
  meaning: "Why a reversal that is a dead letter would be refused again; null if it is none, or would be booked.",
  input: z.object({
    intake_id: Id,
    /** From whom accounts takes it back: it may have taken it from the other before, which the ledger refused. */
    from: z.enum(["merchant", "suspense"]),
  }),
  output: z.object({ refusal: z.string().nullable() }),
});

export const discardRefusedReversal = request({
  subject: "ledger.reversal.discard_refused",
  callers: ["accounts"],
  meaning: "Delete the dead letters of a reversal that accounts has closed, as far as they would be refused again.",
  input: z.object({ intake_id: Id }),
  output: z.object({ discarded: z.int() }),
});

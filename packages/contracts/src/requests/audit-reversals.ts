import { z } from "zod";
import { Id, Kobo, Mode } from "../fields.ts";
import { request, type ServiceName } from "../message.ts";

/** What the self-audit compares of reversals between the services. */

/** One record of a reversal. The ledger has two of money that was in suspense and was allocated since. */
export const AuditedReversal = z.object({
  reversal_id: Id,
  /** Of the ledger's transaction; `reversal` elsewhere. */
  kind: z.enum(["collection_reversal", "allocation_reversal", "suspense_reversal", "reversal"]),
  merchant_id: Id.nullable(),
  mode: Mode,
  amount: Kobo,
});
export type AuditedReversal = z.output<typeof AuditedReversal>;

/** Reversals in a page, and the records that a service returns at most: twice as many are right. */
export const REVERSALS_MAX = 500;
export const AUDITED_REVERSALS_MAX = 3 * REVERSALS_MAX;

const listOf = (service: ServiceName) =>
  request({
    subject: `${service}.audit.reversals`,
    callers: ["accounts"],
    meaning: `Its records of the reversals whose ids are after one and up to another, in the order of their characters; the first ${AUDITED_REVERSALS_MAX}.`,
    deadlineMs: 15_000,
    input: z.object({
      after: z.string().max(80),
      /** Null for all that follow. */
      up_to: z.string().max(80).nullable(),
    }),
    output: z.object({ reversals: z.array(AuditedReversal) }),
  });

export const listAuditedReversals = {
  ledger: listOf("ledger"),
  payments: listOf("payments"),
  webhooks: listOf("webhooks"),
};

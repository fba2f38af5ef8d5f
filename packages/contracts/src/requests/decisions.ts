import { z } from "zod";
import { Id, Instant } from "../fields.ts";
import { request } from "../message.ts";

/** What the dashboard needs to notify people by mail. */
export const listDecisions = request({
  subject: "gateway.verification.decisions",
  callers: ["dashboard"],
  meaning: "The verifications decided since a time, oldest first; at most 100 after the given one.",
  input: z.object({ since: Instant, after: z.object({ decided_at: Instant, merchant_id: Id }).nullable() }),
  output: z.object({
    decisions: z.array(
      z.object({ merchant_id: Id, decided_at: Instant, approved: z.boolean(), reason: z.string().nullable() }),
    ),
  }),
});
export const DECISIONS_A_PAGE = 100;

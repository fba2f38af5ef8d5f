import { z } from "zod";
import { Id, Kobo } from "../fields.ts";
import { request } from "../message.ts";

/** With which accounts, restored to a time before, knows which offers of lines were credited. */

export const listPosted = request({
  subject: "ledger.recovery.posted",
  callers: ["accounts"],
  meaning:
    "Those of these incoming transfers that are booked, or will be once a dead letter is retried: so that accounts, restored to a time before, withdraws no offer that was credited.",
  input: z.object({ intake_ids: z.array(Id).max(500) }),
  output: z.object({
    posted: z.array(
      z.object({
        intake_id: Id,
        /** Null for a dead letter. */
        amount: Kobo.nullable(),
      }),
    ),
  }),
});

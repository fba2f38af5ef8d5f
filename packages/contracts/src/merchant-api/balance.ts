import { z } from "zod";
import { Mode, NairaBalance } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { COLLECTION, PAID_AT } from "./story.ts";

/** Collected and not yet settled, and settled: read in one statement of the ledger. */
export const Balance = z
  .object({
    mode: Mode,
    currency: z.literal("NGN"),
    collected: NairaBalance,
    settled: NairaBalance,
    as_of: Timestamp,
    ledger_sequence: z.int(),
  })
  .meta({
    id: "Balance",
    examples: [
      {
        mode: "test",
        currency: "NGN",
        collected: COLLECTION.net,
        settled: 0,
        as_of: PAID_AT,
        ledger_sequence: 1,
      },
    ],
  });

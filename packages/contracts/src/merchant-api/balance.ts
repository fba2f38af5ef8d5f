import { z } from "zod";
import { Currency, Mode, NairaBalance } from "../fields.ts";
import { Timestamp } from "./lists.ts";
import { COLLECTION, PAID_AT } from "./story.ts";

/** Collected and not yet settled, and settled: read in one statement of the ledger. */
export const Balance = z
  .object({
    mode: Mode,
    currency: Currency,
    collected: NairaBalance.meta({
      description: "Naira received for you, less the fee, and not settled yet. It cannot be paid out.",
    }),
    settled: NairaBalance.meta({
      description: "Naira that is yours and can be paid out: settled, less transfers sent or pending.",
    }),
    owed: NairaBalance.optional().meta({
      description:
        "Naira that you owe: a bank took back more than you had in both balances. It is taken from what is received next, and from what transfers return; until then Collected is 0. Absent if you owe nothing.",
    }),
    as_of: Timestamp.meta({ description: "When both were read, in one statement." }),
    ledger_sequence: z.int().meta({
      description:
        "Grows with every booking on either balance: of two responses, the one with the greater number is the newer one.",
    }),
  })
  .meta({
    id: "Balance",
    description: "Your two balances in one mode.",
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

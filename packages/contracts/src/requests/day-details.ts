import { z } from "zod";
import { Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";
import { ItemKey } from "./days.ts";
import { LineId, StandingOffer } from "./statement-lines.ts";
import { BankAccountNumber } from "./statements.ts";

/** What a day's sheet has only in sums. */

export const listCharges = request({
  subject: "statements.day.charges",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The lines of the bank's charges to an account on a day, which are one line of its difference.",
  input: z.object({ day: Day, account: BankAccountNumber, after: LineId.optional() }),
  output: z.object({
    data: z.array(
      z.object({
        line: LineId,
        amount: Kobo,
        narration: z.string(),
        /** It is in no sum of charges then. */
        is_matched: z.boolean(),
      }),
    ),
    next: LineId.nullable(),
  }),
});

export const listDayGroup = request({
  subject: "statements.day.group",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The lines of a group of a day's difference: of a closed day as it was closed.",
  // An open day is compared anew, as showing it does.
  deadlineMs: 60_000,
  input: z.object({
    day: Day,
    group: ItemKey,
    /** The key of the last line of the page before. */
    after: ItemKey.optional(),
  }),
  output: z.object({
    data: z.array(
      z.object({
        key: z.string(),
        amount: Kobo,
        what: z.string(),
        /** As of an item. */
        charge: Kobo.nullable(),
      }),
    ),
    next: z.string().nullable(),
  }),
});

export const listOffers = request({
  subject: "statements.day.offers",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "The lines of a day that were offered as transfers, and under which id of the bank: the first hundred.",
  input: z.object({ day: Day }),
  output: z.object({
    data: z.array(
      StandingOffer.extend({
        line: LineId,
        narration: z.string(),
        /** With what was credited under the id, or with another transfer. */
        is_matched: z.boolean(),
      }),
    ),
  }),
});

import { z } from "zod";
import { Instant, Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";
import { LineId } from "./statement-lines.ts";
import { BankAccountNumber, Reason } from "./statements.ts";

/** The day that is closed against the bank's statements. Live money only. */

/**
 * Why the bank and our books differ on a day. `timing`: on another day on the other side, or not there yet. `by_hand`: matched by a person, also
 * where nothing is left of a difference. `charge`: the bank's own, of an account and day together.
 * `bank_only` and `books_only`: one side does not know of it. `ledger`: the ledger has booked something else than was reported.
 * `account_ended`: it is the first day without an account.
 */
const CLASSES = [
  "timing",
  "by_hand",
  "charge",
  "bank_only",
  "books_only",
  "different_amount",
  "ledger",
  "account_ended",
] as const;
const DifferenceClass = z.enum(CLASSES);
export type DifferenceClass = z.output<typeof DifferenceClass>;

/** At most this many lines of a difference are in a response, those that need a person first; `items_total` counts all. The charges of an account are one. */
export const DAY_ITEMS_MAX = 2_000;

export const DaySheet = z.object({
  day: Day,
  state: z.enum(["open", "closed"]),
  closed_at: Instant.nullable(),
  closed_by: z.string().nullable(),
  accounts: z.array(
    z.object({
      number: z.string(),
      bank: z.string(),
      opening: Kobo,
      in: Kobo,
      out: Kobo,
      charges: Kobo,
      closing: Kobo,
      lines: z.int(),
      matched: z.int(),
    }),
  ),
  /** Of all accounts together, by the end of the day. */
  ledger: z.object({ opening: Kobo, closing: Kobo }),
  /** By how much more the balances at the bank changed than the ledger's. */
  difference: Kobo,
  items_total: z.int(),
  items: z.array(
    z.object({
      /**
       * `line:1764000000000017`, `charges:1764000000000021` (all of an account), `match:1764000000000004`, `ledger`,
       * `account:1234567890`, or the id of a movement: `int_…`, `trf_…`.
       */
      key: z.string(),
      class: DifferenceClass,
      account: z.string().nullable(),
      /** By how much the bank has more because of it. */
      amount: Kobo,
      /** As the bank or our books describe it. */
      what: z.string(),
      /** Its counterpart was found, on another day or by hand: it needs no reason. */
      settled: z.boolean(),
      reason: z.string().nullable(),
      explained_by: z.string().nullable(),
    }),
  ),
  /** Of all that was settled without a person, the sums: if there is more than fits, it is left out of the items. */
  settled: z.array(z.object({ class: DifferenceClass, items: z.int(), amount: Kobo })),
  /** Why the day cannot be closed now; null if it can, or is. */
  blocked_by: z.string().nullable(),
  /** Of all that is shown here: with it a person closes this sheet and no other. Sheets of earlier releases have none. */
  digest: z.string().optional(),
});
export type DaySheet = z.output<typeof DaySheet>;

export const listDays = request({
  subject: "statements.day.list",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "The days since the first statement that are over, newest first, each with the accounts that have no statement for it.",
  input: z.object({ after: Day.optional() }),
  output: z.object({
    data: z.array(
      DaySheet.pick({ day: true, state: true, closed_at: true, closed_by: true }).extend({
        /** The numbers of our accounts without a statement for the day. */
        missing: z.array(z.string()),
        /** Days are closed in order: this is the next one. */
        is_next: z.boolean(),
      }),
    ),
    next: Day.nullable(),
  }),
});

export const showDay = request({
  subject: "statements.day.show",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "A day at the bank and in our books, and their difference line by line. A closed one is as it was when it was closed.",
  deadlineMs: 60_000,
  input: z.object({ day: Day }),
  output: DaySheet,
});

export const listCharges = request({
  subject: "statements.day.charges",
  callers: ["operator"],
  operator: "read",
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

export const explainDifference = request({
  subject: "statements.day.explain",
  callers: ["operator"],
  operator: { action: "day.explained", detail: ["day", "item", "amount", "reason"] },
  operatorPages: true,
  meaning:
    "Give a reason for a line of an open day's difference, or for all of a class, such as the bank's charges. It counts for this amount only.",
  input: z.object({
    day: Day,
    /** The key of an item, or a class: then the amount is the sum of its items that need a reason. */
    item: z.string().max(120),
    amount: Kobo,
    reason: Reason,
  }),
  output: z.object({}),
});

export const closeDay = request({
  subject: "statements.day.close",
  callers: ["operator"],
  operator: { action: "day.closed", detail: ["day"], result: ["difference", "items_total"] },
  operatorPages: true,
  meaning: "Lock a day whose every difference has a reason, given by another person. Days are closed in order.",
  deadlineMs: 60_000,
  input: z.object({
    day: Day,
    /** The `digest` of the sheet that the person has seen: if the day has changed since, it is not closed. */
    seen: z.string().max(64).optional(),
  }),
  output: DaySheet,
});

export const reopenDay = request({
  subject: "statements.day.reopen",
  callers: ["operator"],
  operator: { action: "day.reopened", detail: ["day", "reason"], fourEyes: true },
  operatorPages: true,
  meaning: "Unlock the last closed day.",
  input: z.object({ day: Day, reason: Reason }),
  output: z.object({}),
});

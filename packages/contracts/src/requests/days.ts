import { z } from "zod";
import { Instant, Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";
import { Reason } from "./statements.ts";

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

/**
 * At most this many lines of a difference are in a response, those that need a person first; `items_total` counts all. The charges of an
 * account are one. If more need a person, the smaller ones are in groups.
 */
export const DAY_ITEMS_MAX = 2_000;

/** At most so many lines of a difference are given reasons in one act, and a day is closed with: `day_too_large` beyond. */
export const DAY_VOUCHED_MAX = 100_000;

/** Of a line of a difference, or a group of them. */
export const ItemKey = z.string().max(120);

const DayTotal = z.object({
  account: z.string(),
  /** Of charges less what the bank gave back. */
  total: Kobo,
  /** The ledger has it. */
  booked: z.boolean(),
});

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
      /** How many of those by their amount and day alone. Absent from sheets of earlier releases. */
      matched_by_amount: z.int().optional(),
      /**
       * What our books have on the account for the day, as accounts and payments report it. What the ledger has besides is the item `ledger`.
       * Absent from sheets of earlier releases, like the next.
       */
      booked: Kobo.optional(),
      /** By how much more its balance changed than our books have: the sum of its items. */
      difference: Kobo.optional(),
    }),
  ),
  /** Of all accounts together, by the end of the day, without the bank's charges and our own funds: those are booked once their day is closed. */
  ledger: z.object({
    opening: Kobo,
    closing: Kobo,
    /** What the ledger had booked of those before the first day of all, own funds less charges. Absent if it had nothing, and from all other days. */
    booked: Kobo.optional(),
  }),
  /** By how much more the balances at the bank changed than the ledger's. An account comes in with its opening balance, and goes with what is left. */
  difference: Kobo,
  /**
   * The whole by the end of the day, and not what changed: what is in all accounts, and what the ledger has on the bank once it has booked this day
   * and those before. Of the day that is closed next, and of those that a service of this release closed.
   */
  balance: z
    .object({
      at_banks: Kobo,
      in_ledger: Kobo,
      /** By how much the banks have more: the sum of the next two. */
      difference: Kobo,
      /** On another day on the other side, or not there yet. */
      timing: Kobo,
      /** What no day was closed with as something that is booked: a person gave another reason for it. */
      unbooked: Kobo,
    })
    .optional(),
  items_total: z.int(),
  items: z.array(
    z.object({
      /**
       * `line:1764000000000017`, `charges:1764000000000021` (all of an account), `match:1764000000000004`, `ledger`,
       * `account:1234567890`, `opening:1234567890` (what stood there before its first statement, less what our books had), or the id of a movement: `int_…`, `trf_…`. A group is `group:` with the key of its first line and a digest of all.
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
      /** Who matched it by hand; null for all else, and absent from sheets of earlier releases. */
      matched_by: z.string().nullable().optional(),
      /** It is a match by the amount and day alone. */
      by_amount: z.boolean().optional(),
      /**
       * By how much the bank has less than our books because of credits, where it may have kept that, or of payouts, where it may have taken that
       * with them, up to ₦100 for each: of the whole match, also if a part is on an earlier day. Above zero it has more, and may have shown a charge that
       * it reported on a line of its own: at most what it reported to have kept, of transfers with a line each. Null for everything else.
       */
      charge: Kobo.nullable().optional(),
      /** The reason says that it is a charge of the bank, or one less: it is booked as that once the day is closed. */
      is_charge: z.boolean().optional(),
      /** The reason says that the line is money of our own: it is booked as that once the day is closed. */
      is_own: z.boolean().optional(),
      /** The reason says that the bank gave a charge back with the line: then `charge` is its amount, and less charges are booked once the day is closed. */
      is_refund: z.boolean().optional(),
      /** How many lines are in it, if it is a group: of one account, class and sign, with one reason or none. */
      count: z.int().optional(),
    }),
  ),
  /** Of all that was settled without a person, the sums: if there is more than fits, it is left out of the items. */
  settled: z.array(z.object({ class: DifferenceClass, items: z.int(), amount: Kobo })),
  /** Why the day cannot be closed now; null if it can, or is. */
  blocked_by: z.string().nullable(),
  /** What a closed day was closed with as the bank's charges, which the ledger books soon after. A service of the release before books none. */
  charges: z.array(DayTotal).optional(),
  /** And as our own money in each account, what came less what went. Absent from a service of the release before. */
  own_funds: z.array(DayTotal).optional(),
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

export const explainDifference = request({
  subject: "statements.day.explain",
  callers: ["operator"],
  operator: { action: "day.explained", detail: ["day", "item", "amount", "reason", "charge", "own", "refund"] },
  operatorPages: true,
  meaning:
    "Give a reason for a line of an open day's difference, or for all of a group or a class, such as the bank's charges. It counts for this amount only.",
  // It compares the day anew, as showing it does.
  deadlineMs: 60_000,
  input: z.object({
    day: Day,
    /**
     * The key of an item, or a class: then the amount is the sum of its items that need a reason, with `charge` of those that say one. A group that
     * has changed since it was shown is refused as `group_changed`.
     */
    item: ItemKey,
    amount: Kobo,
    reason: Reason,
    /**
     * It is a charge, or one less: only for items that say how much that is. The bank's own charges to an account need it not. Where the bank has more
     * than it reported to have kept it is refused as `charge_above_reported`, and in one sum for several transfers as `charge_in_one_sum`.
     */
    charge: z.boolean().optional(),
    /**
     * It is money of our own that came, went or stood there: only for lines of the bank that are in no match and opening balances (`bank_only`), and instead of `charge`. Refused as
     * `not_a_line_of_the_bank`, or as `line_is_offered` if it was offered as a transfer or claimed as what the bank gave or took back.
     */
    own: z.boolean().optional(),
    /**
     * The bank gave a charge back: only for lines in no match that reached the account (`bank_only`), and instead of the two above. Refused as
     * `not_a_credit_of_the_bank`, as `line_is_offered`, or as `refund_exceeds_charges` if the account was charged less until then, this day included.
     */
    refund: z.boolean().optional(),
    /**
     * The `digest` of the sheet that the person has seen: if the day has changed since, nothing is explained. Required for a class of a day that has
     * groups, as its sum does not say which lines were meant.
     */
    seen: z.string().max(64).optional(),
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

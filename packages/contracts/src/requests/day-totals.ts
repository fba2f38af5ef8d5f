import { z } from "zod";
import { Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { Day } from "./collections.ts";
import { BankAccountNumber } from "./statements.ts";

/**
 * What closed days have established of our accounts at banks, in the ledger: one total of each account and day of what the bank charged, and one of our
 * own money that came and went. Live money only.
 */

/** At most this many days are listed at once: an account has a row for each day with a total. */
export const DAY_TOTALS_MAX = 366;

const Booked = z.object({
  total: Kobo,
  /** How often the total was set; 0 if never. */
  version: z.int().min(0),
});
const OfDay = { account: BankAccountNumber, day: Day };

const LIST = {
  callers: ["statements"],
  deadlineMs: 15_000,
  input: z.object({ from: Day, to: Day }),
  output: z.object({ rows: z.array(Booked.extend(OfDay)) }),
} as const;

const BOOK = {
  callers: ["statements"],
  input: z.object({
    ...OfDay,
    total: Kobo,
    /** The version that the caller has seen. If it is another one, nothing is booked. */
    replaces: z.int().min(0),
  }),
  output: Booked,
} as const;

export const listBankCharges = request({
  subject: "ledger.bank_charges.list",
  meaning:
    "The charges of our accounts at banks that are booked, by the days that they are of: less what the bank gave back, and below zero if that is more.",
  ...LIST,
});

export const bookBankCharges = request({
  subject: "ledger.bank_charges.book",
  meaning:
    "Make the charges of an account and day the total of the closed day: bank → bank charges, by what it is more than before. Of two callers who replace the same version one does, and each gets what is booked then.",
  ...BOOK,
});

export const listOwnFunds = request({
  subject: "ledger.own_funds.list",
  meaning:
    "Our own money that came into our accounts at banks and is booked, by the days that it is of: less what went out, and below zero if that is more. A ledger of the release before does not answer.",
  ...LIST,
});

export const bookOwnFunds = request({
  subject: "ledger.own_funds.book",
  meaning:
    "Make our own money that came into an account on a day the total of the closed day: own funds → bank, by what it is more than before. Versions are replaced as those of charges are. A ledger of the release before does not answer.",
  ...BOOK,
});

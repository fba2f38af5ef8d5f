import { z } from "zod";
import { AccountNumber, Id, Instant, Kobo, OperatorReason } from "../fields.ts";
import { request } from "../message.ts";

/**
 * How the partner banks do in live mode, from what is recorded anyway: no call is made for it. What a state means is in
 * `domain/partner-health.ts` of the service that answers. A reply is about the default partner; `others`, which the last release
 * lacks, are about the other ones.
 */

export const PARTNER_STATES = ["ok", "quiet", "failing"] as const;
export type PartnerState = (typeof PARTNER_STATES)[number];
const State = z.enum(PARTNER_STATES);

const Bank = z.object({ code: z.string(), name: z.string() });

const PayoutResults = z.object({
  success: z.int(),
  reversed: z.int(),
  /** By the bank's code; `not_received` if the bank did not know it. */
  failed: z.array(z.object({ code: z.string(), count: z.int() })),
  /** Sent in this time, and without an answer so far. */
  unanswered: z.int(),
});

const EnquiryResults = z.object({
  named: z.int(),
  /** There is no such account, by the bank or by the number's check digit. */
  unresolved: z.int(),
  /** The bank answered with an error, or not in time. */
  failed: z.int(),
});

const PayoutHealth = z.object({
  bank: Bank,
  payouts: z.object({
    state: State,
    /** The bank was called, and has not said how they ended. */
    unanswered: z.object({ count: z.int(), sum: Kobo, oldest_sent_at: Instant.nullable() }),
    hour: PayoutResults,
    day: PayoutResults,
    /** Null if none did in that day. */
    last_success_at: Instant.nullable(),
    /** Since when the answers are counted: a day ago, or later if there are too many. */
    since: Instant,
  }),
});

export const getPayoutHealth = request({
  subject: "payments.partner.health",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning:
    "How each partner bank answers live payouts, and all of them together name enquiries: the last hour, and the last day.",
  input: z.object({}),
  output: PayoutHealth.extend({
    others: z.array(PayoutHealth).optional(),
    name_enquiries: z.object({
      state: State,
      hour: EnquiryResults,
      day: EnquiryResults,
      /** When the last one was made for which the bank named a holder; null if there is none in that day. */
      last_named_at: Instant.nullable(),
      since: Instant,
    }),
  }),
});

const IncomingHealth = z.object({
  bank: Bank,
  transfers: z.object({
    state: State,
    /** The last one: when it was paid, as the bank reported it, and when it was received here. Null without any. */
    last: z.object({ paid_at: Instant, received_at: Instant }).nullable(),
    /** Received, and not completed by every service yet. */
    unfinished: z.object({ count: z.int(), oldest_received_at: Instant.nullable() }),
  }),
  accounts: z.object({
    state: State,
    /** Customer accounts ordered in the last day, with a number and still without one. */
    issued: z.int(),
    pending: z.object({ count: z.int(), oldest_created_at: Instant.nullable() }),
    /** When the last one with a number was ordered; null if there is none in that day. */
    last_issued_at: Instant.nullable(),
  }),
});

export const getIncomingHealth = request({
  subject: "accounts.partner.health",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "What each partner bank reported and issued last in live mode.",
  input: z.object({}),
  output: IncomingHealth.extend({ others: z.array(IncomingHealth).optional() }),
});

const PartnerId = z.string().min(1).max(40);

/** The accounts that are opened ahead at a partner which cannot repeat an opening. */
const AccountPool = z.object({
  free: z.int(),
  /** Openings whose answer was lost: the bank may have opened an account that is not known here. Oldest first. */
  unanswered: z.array(z.object({ id: Id, since: Instant })),
  /** Never given out. */
  set_aside: z.int(),
});

/** What a partner can do where it receives money, as its adapter says. The last release lacks it. */
const Receiving = z.object({
  /** Accounts are opened ahead and given out by renaming them, or opened for each customer. */
  issues: z.enum(["from_pool", "by_request"]),
  /** What it reports to its door: `credit`, `reversal`, `settlement`, `payout`. */
  reports: z.array(z.string()),
  /** Whether a report is believed only once the partner has confirmed it. */
  confirms_reports: z.boolean(),
  /** Whether it can be asked for a transfer that it did not report, by its own id and by the session id of NIP. */
  finds_by_id: z.boolean(),
  finds_by_session: z.boolean(),
});

export const listPartners = request({
  subject: "accounts.partners.list",
  callers: ["operator"],
  operator: "read",
  meaning: "The partners that report money and issue accounts, and the merchants that have one of their own.",
  input: z.object({}),
  output: z.object({
    partners: z.array(
      z.object({
        id: PartnerId,
        name: z.string(),
        is_default: z.boolean(),
        /** The path of its door. */
        door: z.string(),
        /** The numbers of a customer of which it needs one. */
        needs: z.array(z.string()),
        pool: AccountPool.nullable(),
        can: Receiving.optional(),
      }),
    ),
    /** The newest choices; those of a partner that is not configured count for nothing. */
    choices: z.array(z.object({ merchant_id: Id, partner: PartnerId, chosen_at: Instant })),
    /** Whether there are older choices. */
    has_more_choices: z.boolean(),
  }),
});

export const listPayoutPartners = request({
  subject: "payments.partners.list",
  callers: ["operator"],
  operator: "read",
  meaning:
    "The partners that pay out, each of which names the holder of an account, and the merchants that have one of their own.",
  input: z.object({}),
  output: z.object({
    partners: z.array(
      z.object({
        id: PartnerId,
        name: z.string(),
        is_default: z.boolean(),
        /** Whether it lists its banks, so that a check finds those of ours that it does not pay to. */
        lists_banks: z.boolean(),
      }),
    ),
    /** The newest choices; the payouts of a merchant whose partner is not configured wait. The last release lacks both fields. */
    choices: z
      .array(z.object({ merchant_id: Id, partner: PartnerId, chosen_at: Instant, reason: z.string() }))
      .optional(),
    /** Whether there are older choices. */
    has_more_choices: z.boolean().optional(),
  }),
});

export const choosePartner = request({
  subject: "accounts.partners.choose",
  callers: ["operator"],
  operator: { action: "partner.chosen", detail: ["merchant_id", "partner"], fourEyes: true },
  meaning:
    "Issue a merchant's new live accounts at this partner; null: at the default. Accounts that exist stay where they are.",
  input: z.object({ merchant_id: Id, partner: PartnerId.nullable() }),
  output: z.object({ merchant_id: Id, partner: PartnerId }),
});

export const choosePayoutPartner = request({
  subject: "payments.partners.choose",
  callers: ["operator"],
  operator: { action: "payout_partner.chosen", detail: ["merchant_id", "partner", "reason"], fourEyes: true },
  meaning:
    "Send a merchant's live payouts by this partner; null: by the default. One that was sent to a partner stays with that one.",
  input: z.object({
    merchant_id: Id,
    partner: PartnerId.nullable(),
    reason: OperatorReason,
  }),
  output: z.object({ merchant_id: Id, partner: PartnerId }),
});

export const settleOpening = request({
  subject: "accounts.partners.settle_opening",
  callers: ["operator"],
  operator: { action: "partner.opening_settled", detail: ["id", "account_number"], fourEyes: true },
  meaning:
    "Say what became of an opening whose answer was lost: the number of the account, which joins the pool, or null if the bank has none.",
  input: z.object({ id: Id, account_number: AccountNumber.nullable() }),
  output: z.object({ id: Id, state: z.enum(["free", "set_aside"]) }),
});

const Checked = z.object({
  partners: z.array(
    z.object({
      id: PartnerId,
      checks: z.array(z.object({ name: z.string(), is_ok: z.boolean(), detail: z.string() })),
    }),
  ),
});

export const checkPartners = request({
  subject: "accounts.partners.check",
  callers: ["operator"],
  operator: "read",
  meaning: "Try the credentials of every partner without moving money or opening an account.",
  deadlineMs: 25_000,
  input: z.object({}),
  output: Checked,
});

export const checkPayoutPartners = request({
  subject: "payments.partners.check",
  callers: ["operator"],
  operator: "read",
  meaning: "Try the credentials of every partner that pays out without moving money.",
  deadlineMs: 25_000,
  input: z.object({}),
  output: Checked,
});

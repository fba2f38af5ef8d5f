import { z } from "zod";
import { Instant, Kobo } from "../fields.ts";
import { request } from "../message.ts";

/**
 * How the partner bank does in live mode, from what is recorded anyway: no call is made for it. What a state means is in
 * `domain/partner-health.ts` of the service that answers.
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

export const getPayoutHealth = request({
  subject: "payments.partner.health",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "How the partner bank answers live payouts and name enquiries: the last hour, and the last day.",
  input: z.object({}),
  output: z.object({
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

export const getIncomingHealth = request({
  subject: "accounts.partner.health",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "What the partner bank reported and issued last in live mode.",
  input: z.object({}),
  output: z.object({
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
  }),
});

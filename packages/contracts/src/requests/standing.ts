import { z } from "zod";
import { Id, Instant, OperatorReason } from "../fields.ts";
import { request } from "../message.ts";

/** Whether a merchant may make live things. The gateway owns it, and the services that make them ask each time. */

export const STANDINGS = ["draft", "submitted", "returned", "verified", "suspended"] as const;

export const Suspension = z.object({ reason: z.string(), since: Instant });

export const MerchantStanding = z.object({
  merchant_id: Id,
  standing: z.enum(STANDINGS),
  /** Whether it was ever verified: a suspended merchant may not have been. */
  verified: z.boolean(),
  suspension: Suspension.nullable(),
});
export type MerchantStanding = z.output<typeof MerchantStanding>;

/** The most merchants in one request. */
export const STANDINGS_MAX = 200;

export const readStandings = request({
  subject: "gateway.merchants.standing",
  callers: ["accounts", "payments", "webhooks"],
  meaning: "The standing of merchants, as committed at this moment; unknown merchants are omitted.",
  input: z.object({ merchant_ids: z.array(Id).min(1).max(STANDINGS_MAX) }),
  output: z.object({ standings: z.array(MerchantStanding) }),
});

export const suspendMerchant = request({
  subject: "gateway.merchant.suspend",
  callers: ["operator"],
  operator: { action: "merchant.suspended", detail: ["reason"], fourEyes: true },
  operatorPages: true,
  meaning:
    "Stop a merchant's payouts, live keys, accounts, sessions and links. Answered once no payout can be sent any more; a repeat keeps the first reason and time.",
  deadlineMs: 20_000,
  input: z.object({ merchant_id: Id, reason: OperatorReason }),
  output: MerchantStanding.extend({
    /** Payouts that the bank was called for before and has not answered in time. They are followed to their end. */
    payouts_in_flight: z.int(),
  }),
});

export const resumeMerchant = request({
  subject: "gateway.merchant.resume",
  callers: ["operator"],
  operator: { action: "merchant.resumed", detail: ["reason"], fourEyes: true },
  operatorPages: true,
  meaning: "End a merchant's suspension; its held payouts are sent.",
  deadlineMs: 10_000,
  input: z.object({ merchant_id: Id, reason: OperatorReason }),
  output: MerchantStanding.extend({ payouts_released: z.int() }),
});

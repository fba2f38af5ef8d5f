import { z } from "zod";
import { Id, Instant, Naira } from "../fields.ts";
import { request } from "../message.ts";

/** Limits on a merchant's payouts in each mode. Null: no limit. */
export const PayoutLimits = z.object({
  /** The largest amount of one transfer. */
  transfer_max: Naira.nullable(),
  /** The most that may be ordered in a day in Lagos; what failed does not count. */
  day_max: Naira.nullable(),
  /** A transfer of more than this waits until a second person has approved it. */
  approval_above: Naira.nullable(),
});
export type PayoutLimits = z.output<typeof PayoutLimits>;

const CurrentLimits = z.object({
  merchant_id: Id,
  /** What applies: the stricter of the two below. */
  limits: PayoutLimits,
  operator: PayoutLimits,
  merchant: PayoutLimits,
  /** A change by the merchant that allows more, and when it takes effect. */
  upcoming: PayoutLimits.extend({ effective_at: Instant }).nullable(),
  /** What was ordered today, in each mode. */
  ordered_today: z.object({ test: Naira, live: Naira }),
});

export const getPayoutLimits = request({
  subject: "ledger.payout_limits.get",
  callers: ["dashboard", "payments", "operator"],
  operator: "read",
  meaning: "The limits on a merchant's payouts, and what was ordered today.",
  input: z.object({ merchant_id: Id }),
  output: CurrentLimits,
});

export const setPayoutLimits = request({
  subject: "ledger.payout_limits.set",
  callers: ["operator"],
  operator: {
    action: "payout_limits.set",
    detail: ["transfer_max", "day_max", "approval_above"],
    fourEyes: true,
  },
  meaning: "Set the limits that a merchant's own cannot exceed. They apply at once.",
  input: PayoutLimits.extend({ merchant_id: Id }),
  output: CurrentLimits,
});

export const setOwnPayoutLimits = request({
  subject: "ledger.payout_limits.set_own",
  callers: ["dashboard"],
  sealed: "orders",
  meaning: "Set a merchant's own limits. Stricter ones apply at once; a change that allows more applies a day later.",
  input: PayoutLimits.extend({ merchant_id: Id }),
  output: CurrentLimits,
});

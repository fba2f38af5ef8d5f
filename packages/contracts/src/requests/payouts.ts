import { z } from "zod";
import { FreeText, Id, Instant, Kobo } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** Live payouts as a whole: the operator's switch, and those that are held. */

export const HOLDS = ["merchant_suspended", "payouts_stopped"] as const;
export type Hold = (typeof HOLDS)[number];

const Stop = z.object({ reason: z.string(), since: Instant });

const Payouts = z.object({
  /** Null while payouts are sent. */
  stopped: Stop.nullable(),
  /** The bank was called for these and has not answered yet. */
  in_flight: z.int(),
  /** Accepted orders that wait, by the reason of their last hold. */
  held: z.array(z.object({ held_for: z.enum(HOLDS), count: z.int(), sum: Kobo })),
});
export type Payouts = z.output<typeof Payouts>;

export const showPayouts = request({
  subject: "payments.payouts.show",
  callers: ["operator"],
  operator: "read",
  operatorPages: true,
  meaning: "Whether live payouts are stopped, and how many are held.",
  input: z.object({}),
  output: Payouts,
});

const Reason = FreeText.trim().min(1, "must say why");

export const stopPayouts = request({
  subject: "payments.payouts.stop",
  callers: ["operator"],
  operator: { action: "payouts.stopped", detail: ["reason"] },
  operatorPages: true,
  meaning:
    "Stop all live payouts. Answered once none can be sent any more; a repeat keeps the first reason and time. New orders are refused with payouts_stopped.",
  deadlineMs: 20_000,
  input: z.object({ reason: Reason }),
  output: Payouts,
});

export const startPayouts = request({
  subject: "payments.payouts.start",
  callers: ["operator"],
  operator: { action: "payouts.started", detail: ["reason"], fourEyes: true },
  operatorPages: true,
  meaning: "Send live payouts again, those that were held first.",
  input: z.object({ reason: Reason }),
  output: Payouts,
});

export const drainPayouts = request({
  subject: "payments.payouts.drain",
  callers: ["gateway"],
  meaning:
    "Wait until the bank has answered for every payout of a merchant that it was called for; at most 12 seconds.",
  deadlineMs: 14_000,
  input: z.object({ merchant_id: Id }),
  output: z.object({ in_flight: z.int() }),
});

export const releasePayouts = request({
  subject: "payments.payouts.release",
  callers: ["gateway"],
  meaning: "Make the held payouts of a merchant due now. Whether they are sent is asked again for each.",
  input: z.object({ merchant_id: Id }),
  output: z.object({ released: z.int() }),
});

export const getPayoutState = request({
  subject: "payments.payouts.get",
  callers: ["dashboard"],
  meaning:
    "Since when payouts are stopped for all merchants, null while they are sent; and how many of the merchant are held or wait for approval.",
  input: byScope,
  output: z.object({
    stopped_since: Instant.nullable(),
    held: z.int(),
    awaiting_approval: z.int(),
    /** Files of transfers; the previous release has none. */
    files_awaiting_approval: z.int().optional(),
  }),
});

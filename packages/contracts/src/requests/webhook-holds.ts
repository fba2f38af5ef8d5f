import { z } from "zod";
import { Browse, browseOf } from "../browse.ts";
import { Id, Instant, Mode, OperatorReason } from "../fields.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/**
 * Why deliveries to an endpoint wait. held: it fails, and only the oldest is tried. releasing: it acknowledges events again, and
 * what waited goes out in order. paused: by a member of the team, by an operator, or because a restore lost what was set.
 */
const HOLD_STATES = ["held", "releasing", "paused"] as const;

export const WebhookHold = z.object({
  state: z.enum(HOLD_STATES),
  since: Instant,
  /** Counted up to 100,000. */
  waiting: z.int(),
  /** Of a held endpoint. */
  next_attempt_at: Instant.nullable(),
  /** How long the release will still take; null before it has been measured, or if more arrives than goes out. */
  seconds_left: z.int().nullable(),
  /** Of an endpoint paused after a restore: the last change of its URL or secret that may be lost. Absent from an earlier release. */
  lost_change_at: Instant.nullable().optional(),
});

const Holding = z.object({ hold: WebhookHold.nullable() });
export const pauseWebhookEndpoint = request({
  subject: "webhooks.endpoint.pause",
  callers: ["dashboard"],
  meaning:
    "Send nothing more to the webhook URL but test events. Events are recorded and wait; attempts in progress end. Without a URL: conflict.",
  input: byScope,
  output: Holding,
});

/** Not `webhooks.endpoint.pause`: the last release would do that for an operator without a record of it. */
export const pauseWebhookEndpointAsOperator = request({
  subject: "webhooks.endpoint.pause_as_operator",
  callers: ["operator"],
  operator: { action: "webhook.paused", detail: ["reason"] },
  meaning:
    "Pause the webhook URL as an operator, with the reason for it. The merchant reads it in its audit log, and can resume.",
  input: byScope.extend({ reason: OperatorReason }),
  output: Holding,
});

export const resumeWebhookEndpoint = request({
  subject: "webhooks.endpoint.resume",
  callers: ["dashboard", "operator"],
  operator: { action: "webhook.resumed", detail: ["reason"], fourEyes: true },
  meaning:
    "Try a paused or held endpoint now with the oldest event that waits; the others follow in order once it is acknowledged. Otherwise nothing changes.",
  input: byScope.extend({
    /** An operator's. */
    reason: OperatorReason.optional(),
  }),
  output: Holding,
});

/** Of an endpoint in the list, `waiting` is counted up to this. */
export const LISTED_WAITING_MAX = 1_000;

export const listWebhookHolds = request({
  subject: "webhooks.holds.list",
  callers: ["operator"],
  operator: "read",
  meaning: "The endpoints whose deliveries are held or paused, those that have been for the longest time first.",
  input: Browse.extend({ merchant_id: Id.optional(), mode: Mode.optional(), state: z.enum(HOLD_STATES).optional() }),
  output: browseOf(
    z.object({
      merchant_id: Id,
      mode: Mode,
      /** Of its URL, which is the merchant's own. */
      host: z.string().nullable(),
      ...WebhookHold.pick({ state: true, since: true, next_attempt_at: true }).shape,
      lost_change_at: Instant.nullable(),
      waiting: z.int(),
      /** Of the oldest event that waits: since when, and how it was answered last. */
      oldest_at: Instant.nullable(),
      last_attempt: z.object({ at: Instant, status: z.int().nullable(), error: z.string().nullable() }).nullable(),
      last_acknowledged_at: Instant.nullable(),
    }),
  ),
});

import { z } from "zod";
import { Browse, browseOf, Search, Selected, Span } from "../browse.ts";
import { Instant, Mode, Naira } from "../fields.ts";
import { wholeNumber } from "../merchant-api/lists.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";

/** Webhooks in the dashboard: what a merchant's team sees and does. */

export const DELIVERY_STATUSES = ["pending", "delivered", "exhausted", "superseded"] as const;

const Delivery = z.object({
  number: z.int(),
  sequence: z.int(),
  event: z.string(),
  reference: z.string(),
  url: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  /** The HTTP status of the last attempt; null without a response, or before the first attempt. */
  last_status: z.int().nullable(),
  next_attempt_at: Instant.nullable(),
  created_at: Instant,
});

const EventRecord = z.object({
  sequence: z.int(),
  event: z.string(),
  reference: z.string(),
  amount: Naira,
  created_at: Instant,
  /** Null while it has no delivery to any URL. */
  delivery: Delivery.pick({
    number: true,
    status: true,
    attempts: true,
    last_status: true,
    next_attempt_at: true,
  }).nullable(),
});

export const browseEvents = request({
  subject: "webhooks.event.browse",
  callers: ["dashboard", "operator"],
  operator: "read",
  meaning: "The numbered event log of one merchant and mode, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Selected.shape,
    ...Span.shape,
    event: z.string().max(60).optional(),
    /** A reference, or a number of the log. */
    search: Search,
  }),
  output: browseOf(EventRecord),
});

export const getEvent = request({
  subject: "webhooks.event.get",
  callers: ["dashboard"],
  meaning: "One event with its body and its delivery to each URL.",
  input: byScope.extend({ sequence: wholeNumber(1) }),
  output: z.object({ event: EventRecord, body: z.string(), deliveries: z.array(Delivery) }),
});

export const findEvents = request({
  subject: "webhooks.event.find",
  callers: ["dashboard"],
  meaning: "The events about one reference, oldest first, with their deliveries and attempts.",
  input: byScope.extend({ reference: z.string().max(100) }),
  output: z.object({
    events: z.array(
      EventRecord.extend({
        tried: z.array(
          z.object({
            number: z.int(),
            attempt: z.int(),
            started_at: Instant,
            duration_ms: z.int(),
            status: z.int().nullable(),
            error: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
});

export const browseDeliveries = request({
  subject: "webhooks.delivery.browse",
  callers: ["payments", "dashboard"],
  meaning: "Deliveries of one merchant and mode, newest first.",
  input: byScope.extend({
    ...Browse.shape,
    ...Selected.shape,
    ...Span.shape,
    status: z.enum([...DELIVERY_STATUSES, "failing", "all"]).default("all"),
    event: z.string().max(60).optional(),
    /** A reference, or a delivery number. */
    search: Search,
  }),
  output: browseOf(Delivery),
});

export const getDelivery = request({
  subject: "webhooks.delivery.get",
  callers: ["dashboard"],
  meaning: "One delivery with the requests sent and the responses received: attempts, newest first.",
  input: byScope.extend({ number: wholeNumber(1) }),
  output: z.object({
    delivery: Delivery,
    /** The body of every attempt, and the headers that are the same on all of them. */
    request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }),
    attempts: z.array(
      z.object({
        attempt: z.int(),
        started_at: Instant,
        duration_ms: z.int(),
        status: z.int().nullable(),
        error: z.string().nullable(),
        /** The beginning of the response. */
        response: z.string().nullable(),
      }),
    ),
  }),
});

export const replayEvent = request({
  subject: "webhooks.event.replay",
  callers: ["dashboard"],
  meaning: "Resend one event to the current URL, delivered or not, with the same bytes and numbers.",
  input: byScope.extend({ sequence: wholeNumber(1) }),
  output: Delivery,
});

const Replay = z.object({
  id: z.string(),
  from_sequence: z.int(),
  to_sequence: z.int(),
  only_undelivered: z.boolean(),
  /** Its progress: every event up to this sequence has been enqueued again. */
  at_sequence: z.int(),
  replayed: z.int(),
  status: z.enum(["running", "done", "cancelled"]),
  created_at: Instant,
});

export const startReplay = request({
  subject: "webhooks.replay.start",
  callers: ["dashboard"],
  meaning: "Resend a range of the event log to the current URL in the background; one range at a time.",
  input: byScope.extend({ from_sequence: wholeNumber(1), to_sequence: wholeNumber(1), only_undelivered: z.boolean() }),
  output: Replay,
});

export const getLastReplay = request({
  subject: "webhooks.replay.get_last",
  callers: ["dashboard"],
  meaning: "The latest replay and its progress.",
  input: byScope,
  output: z.object({ replay: Replay.nullable() }),
});

export const cancelReplay = request({
  subject: "webhooks.replay.cancel",
  callers: ["dashboard"],
  meaning: "Cancel a replay; what it has already enqueued is still sent.",
  input: byScope,
  output: z.object({ replay: Replay.nullable() }),
});

export const stageSigningSecret = request({
  subject: "webhooks.secret.stage",
  callers: ["dashboard"],
  meaning:
    "Create the next signing secret. Until it is activated, by the merchant or after 24 h, it signs only webhook-signature, together with the current one. If one is already staged, returns that.",
  input: byScope,
  output: z.object({ staged_secret: z.string(), activates_at: Instant }),
});

export const activateSigningSecret = request({
  subject: "webhooks.secret.activate",
  callers: ["dashboard"],
  meaning:
    "Make the staged secret the signing secret immediately. Attempts already claimed keep their secrets for a minute at most: their X-Service-Signature is made with the previous one, their webhook-signature with both. Without a staged secret: conflict.",
  input: byScope,
  output: z.object({ secret: z.string() }),
});

export const cancelSigningSecret = request({
  subject: "webhooks.secret.cancel",
  callers: ["dashboard"],
  meaning: "Discard the staged secret.",
  input: byScope,
  output: z.object({ cancelled: z.boolean() }),
});

export const sendTestEvent = request({
  subject: "webhooks.event.send_test",
  callers: ["dashboard"],
  meaning: "Record and send a webhook.test event, numbered like all others. Without a URL: conflict.",
  input: byScope,
  output: z.object({ sequence: z.int(), delivery_number: z.int() }),
});

/** A request as the merchant's server received it, verified or not. */
export const SignatureVerdict = z.enum([
  "match",
  "match_staged",
  "wrong_secret",
  "wrong_mode",
  "body_reserialised",
  "body_changed",
  "not_hex",
  "unknown_event",
]);

export const explainSignature = request({
  subject: "webhooks.signature.explain",
  callers: ["dashboard"],
  meaning:
    "Whether an X-Service-Signature matches a body, and if not, why, for a request that a merchant's server received.",
  input: byScope.extend({
    body: z.string().max(32_768),
    signature: z.string().trim().max(400),
    /** The secret in the merchant's server, to be checked too. It is compared and not stored. */
    secret: z.string().trim().max(100).optional(),
  }),
  output: z.object({
    verdict: SignatureVerdict,
    /** The fault and its remedy, in words. */
    explanation: z.string(),
    /** The event in the body, if it is one of the merchant's. */
    sequence: z.int().nullable(),
    mode: Mode,
  }),
});

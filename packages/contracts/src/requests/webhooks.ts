import { z } from "zod";
import { Id, Instant, MerchantScope } from "../fields.ts";
import { RECEIVER_SCENARIOS } from "../merchant-api/scenarios.ts";
import { request } from "../message.ts";
import { byScope } from "./merchant.ts";
import { WebhookHold } from "./webhook-holds.ts";

const Endpoint = z.object({
  url: z.url().nullable(),
  secret: z.string(),
  /** During a rotation: the next secret, and when it is activated automatically. */
  staged_secret: z.string().nullable(),
  activates_at: Instant.nullable(),
  /** A URL that waits for its confirmation. Events go to `url`, if there is one, until it has answered its challenge. */
  unconfirmed: z
    .object({
      url: z.url(),
      challenged_at: Instant.nullable(),
      /** Why the last challenge does not count as answered. */
      error: z.string().nullable(),
    })
    .nullable(),
});

/** A challenge is one POST to the merchant's server, within this time. */
export const CHALLENGE_MS = 8_000;
const deadlineMs = CHALLENGE_MS + 4_000;

export const setWebhookEndpoint = request({
  subject: "webhooks.endpoint.set",
  callers: ["dashboard", "operator"],
  operator: { action: "webhook.set", fourEyes: true },
  meaning:
    "Set the webhook URL of a merchant and mode; the signing secret is created the first time. Without a URL only the secret is created. A new URL is sent a challenge first, and events once it has answered.",
  deadlineMs,
  input: z.object({ merchant: MerchantScope, url: z.string().max(2_000).nullable() }),
  output: Endpoint,
});

export const getWebhookEndpoint = request({
  subject: "webhooks.endpoint.get",
  callers: ["dashboard"],
  meaning: "The webhook URL and signing secret of a merchant and mode.",
  input: z.object({ merchant: MerchantScope }),
  output: Endpoint,
});

export const createSigningSecret = request({
  subject: "webhooks.secret.create",
  callers: ["dashboard", "operator"],
  operator: { action: "webhook.secret_revealed", fourEyes: true },
  meaning:
    "Create the signing secret of a merchant and mode before its webhook URL is set, so that the server can check the URL's first challenge. A secret that exists is returned, and no URL is changed.",
  input: z.object({ merchant: MerchantScope }),
  output: Endpoint,
});

export const challengeWebhookEndpoint = request({
  subject: "webhooks.endpoint.challenge",
  callers: ["dashboard"],
  meaning: "Send the challenge of an unconfirmed webhook URL again.",
  deadlineMs,
  input: z.object({ merchant: MerchantScope }),
  output: Endpoint,
});

export const simulateResponses = request({
  subject: "webhooks.responses.simulate",
  callers: ["accounts"],
  meaning:
    "Simulate what the merchant's server does with the first attempts to deliver the event of a transfer that is not recorded yet. Test mode only; a repeat changes nothing.",
  input: byScope.extend({ intake_id: Id, response: z.enum(RECEIVER_SCENARIOS), times: z.int().min(1).max(15) }),
  output: z.object({}),
});

export const getWebhookHealth = request({
  subject: "webhooks.health.get",
  callers: ["dashboard"],
  meaning: "The health of the webhooks of a merchant and mode. Counts stop at 1,000.",
  input: byScope,
  output: z.object({
    url: z.string().nullable(),
    unconfirmed_url: z.string().nullable(),
    /** Failed at least once and scheduled for a retry. */
    failing: z.int(),
    exhausted: z.int(),
    oldest_failing_at: Instant.nullable(),
    last_delivered_at: Instant.nullable(),
    /** Whether the merchant's server has ever acknowledged an event. */
    ever_delivered: z.boolean(),
    hold: WebhookHold.nullable(),
  }),
});

import { z } from "zod";
import { Instant, MerchantScope } from "../fields.ts";
import { request } from "../message.ts";

const Endpoint = z.object({
  url: z.url().nullable(),
  secret: z.string(),
  /** During a rotation: the next secret, and when it is activated automatically. */
  staged_secret: z.string().nullable(),
  activates_at: Instant.nullable(),
});

export const setWebhookEndpoint = request({
  subject: "webhooks.endpoint.set",
  callers: ["dashboard", "operator"],
  meaning:
    "Set the webhook URL of a merchant and mode; the signing secret is created the first time. Without a URL only the secret is created.",
  input: z.object({ merchant: MerchantScope, url: z.string().max(2_000).nullable() }),
  output: Endpoint,
});

export const getWebhookEndpoint = request({
  subject: "webhooks.endpoint.get",
  callers: ["dashboard", "operator"],
  meaning: "The webhook URL and signing secret of a merchant and mode.",
  input: z.object({ merchant: MerchantScope }),
  output: Endpoint,
});

import { createHmac } from "node:crypto";
import { standardSignature } from "./age.ts";
import type { WebhookEvent } from "./events.ts";
import { checkedSecrets } from "./secrets.ts";

export type TestWebhookOptions = {
  /** `X-Service-Sequence`, 1 by default. */
  sequence?: number;
  /** `X-Service-Delivery`, the sequence by default. */
  delivery?: number;
  /** `X-Service-Attempt`, 1 by default. */
  attempt?: number;
  /** `webhook-id`; made up from the sequence by default. */
  id?: string;
  /** Signs `webhook-signature`, too, as during a rotation. */
  stagedSecret?: string;
  /** When it is sent; now by default. */
  at?: Date;
};

export type TestWebhook = { body: string; headers: Record<string, string> };

/**
 * A delivery for the tests of your receiver: the body, and all headers as the service sends them, signed with `secret`. Given as a
 * string, the event is the body as it is.
 */
export function signTestWebhook(
  event: WebhookEvent | string,
  secret: string,
  { stagedSecret, at = new Date(), ...numbers }: TestWebhookOptions = {},
): TestWebhook {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const kind: WebhookEvent["event"] = typeof event === "string" ? JSON.parse(event).event : event.event;
  const { sequence = 1, delivery = sequence, attempt = 1, id = `evt_${String(sequence).padStart(22, "1")}` } = numbers;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const secrets = checkedSecrets(stagedSecret === undefined ? secret : [secret, stagedSecret]);
  // A challenge is not in the log, and has no numbers.
  const numbered = {
    "x-service-delivery": String(delivery),
    "x-service-sequence": String(sequence),
    "x-service-attempt": String(attempt),
  };
  const headers = {
    "content-type": "application/json",
    "user-agent": "Collect-Webhooks/1",
    "x-service-event": kind,
    ...(kind === "endpoint.challenge" ? {} : numbered),
    "x-service-signature": createHmac("sha512", secret).update(body).digest("hex"),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets
      .map((each) => `v1,${standardSignature(each, { id, timestamp, body }).toString("base64")}`)
      .join(" "),
  };
  return { body, headers };
}

import { type WEBHOOK_KINDS, WebhookEvent } from "@collect/contracts";
import { type JsonObject, nameOf, refTo } from "./schemas.ts";

/** The webhooks that a merchant's server receives, by the kind of event. */
export function webhooks(): JsonObject {
  return Object.fromEntries(
    WebhookEvent.options.map((event) => {
      const kind = event.shape.event.value;
      return [kind, { post: received(kind, nameOf(event, kind)) }];
    }),
  );
}

type Kind = (typeof WEBHOOK_KINDS)[number];

const MEANINGS: Record<Kind, string> = {
  "collection.success": "Money was received in a customer's account or in a collection account.",
  "transfer.success": "The beneficiary's bank accepted a transfer.",
  "transfer.failed": "A transfer failed, and its money is back in Settled.",
  "transfer.reversed": "The bank reversed a successful transfer, and its money is back in Settled.",
  "webhook.test": "A member of your team sent it from the dashboard to test your endpoint. No money is involved.",
};

/** How the receiver must process it. */
const ACTING_ONCE =
  "act on each pair of `event` and `data.reference` once: a success and its reversal share the reference";
const ACTING: Partial<Record<Kind, string>> = {
  "collection.success": "credit each `data.reference` once",
  "webhook.test": "credit nothing",
};

const HEADERS: [name: string, description: string, schema: JsonObject][] = [
  [
    "X-Service-Signature",
    "HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the signing secret.",
    { type: "string", pattern: "^[0-9a-f]{128}$" },
  ],
  ["X-Service-Event", "The kind of event.", { type: "string" }],
  [
    "X-Service-Delivery",
    "The same number on every attempt and replay to one URL.",
    { type: "string", pattern: "^\\d+$" },
  ],
  [
    "X-Service-Sequence",
    "Numbers your business's events consecutively in each mode: a gap is an event you have not received.",
    { type: "string", pattern: "^\\d+$" },
  ],
  ["X-Service-Attempt", "The number of this attempt, starting at 1.", { type: "string", pattern: "^\\d+$" }],
  [
    "webhook-id",
    "As defined by Standard Webhooks, as are `webhook-timestamp` and `webhook-signature`.",
    { type: "string" },
  ],
  ["webhook-timestamp", "When this attempt was sent, in seconds since 1970.", { type: "string" }],
  [
    "webhook-signature",
    "Signatures of id, timestamp and body, separated by spaces: one for each signing secret while you rotate the secret.",
    { type: "string" },
  ],
];

function received(kind: Kind, shape: string): JsonObject {
  return {
    operationId: kind.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
    tags: ["Webhooks"],
    summary: MEANINGS[kind],
    description: `Verify the signature over the raw body before reading it, and ${ACTING[kind] ?? ACTING_ONCE}. Without a 2xx response within 15 seconds it is retried for about 72 hours.`,
    security: [],
    parameters: HEADERS.map(([name, description, schema]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema,
    })),
    requestBody: { required: true, content: { "application/json": { schema: refTo(shape) } } },
    responses: { "2XX": { description: "Received." } },
  };
}

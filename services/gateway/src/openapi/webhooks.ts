import { type WEBHOOK_KINDS, WebhookEvent } from "@collect/contracts";
import { type JsonObject, nameOf, refTo } from "./schemas.ts";

/** What a merchant's server receives, by the kind of event. */
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
  "collection.success": "Money landed in a customer's account or in a collection account.",
  "transfer.success": "The beneficiary's bank took a transfer.",
  "transfer.failed": "A transfer failed, and its money is back in Settled.",
  "transfer.reversed": "The bank took a successful transfer back, and its money is in Settled again.",
  "webhook.test": "A member of your team sent it from the dashboard to check that it arrives. It is about no money.",
};

/** What is to be done with it besides. */
const ACTING_ONCE = "act on it once for each `data.reference`";
const ACTING: Partial<Record<Kind, string>> = {
  "collection.success": "credit each `data.reference` once",
  "webhook.test": "credit nothing",
};

const HEADERS: [name: string, description: string, schema: JsonObject][] = [
  [
    "X-Service-Signature",
    "HMAC-SHA512 of the raw body in lower-case hex, keyed with the UTF-8 bytes of the signing secret.",
    { type: "string", pattern: "^[0-9a-f]{128}$" },
  ],
  ["X-Service-Event", "The kind of event.", { type: "string" }],
  ["X-Service-Delivery", "The same number on every attempt and replay.", { type: "string", pattern: "^\\d+$" }],
  [
    "X-Service-Sequence",
    "Consecutive in your account and mode: a gap is an event you have not had.",
    { type: "string", pattern: "^\\d+$" },
  ],
  ["X-Service-Attempt", "Which attempt this is, from 1.", { type: "string", pattern: "^\\d+$" }],
  ["webhook-id", "Of Standard Webhooks, as the two that follow.", { type: "string" }],
  ["webhook-timestamp", "When this attempt was sent, in seconds since 1970.", { type: "string" }],
  [
    "webhook-signature",
    "Signatures of id, timestamp and body, separated by spaces: one for each signing secret while the secret is being changed.",
    { type: "string" },
  ],
];

function received(kind: Kind, shape: string): JsonObject {
  return {
    operationId: kind.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
    tags: ["Webhooks"],
    summary: MEANINGS[kind],
    description: `Verify the signature over the raw body before reading it, and ${ACTING[kind] ?? ACTING_ONCE}. Whatever is not answered with 2xx within 15 seconds is sent again for about 72 hours.`,
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

import { WebhookEvent } from "@collect/contracts";
import type { z } from "zod";
import { type JsonObject, nameOf, refTo } from "./schemas.ts";

/** The webhooks that a merchant's server receives, by the kind of event. */
export function webhooks(): JsonObject {
  return Object.fromEntries(
    WebhookEvent.options.map((event) => {
      const kind = event.shape.event.value;
      return [kind, { post: received(kind, nameOf(event, kind), event.meta()?.description) }];
    }),
  );
}

type Kind = z.output<typeof WebhookEvent>["event"];

/** How the receiver must process it. */
const ACTING_ONCE =
  "act on each pair of `event` and `data.reference` once: a success and its reversal share the reference";
const ACTING: Partial<Record<Kind, string>> = {
  "collection.success":
    "credit `data.amount` to the customer or session that it names, once for each `data.reference`; if it names none, wait for `collection.attached`",
  "collection.attached":
    "credit `data.amount` to the customer or session that it names, unless you have credited this `data.reference` already",
  "collection.reversed":
    "take `data.amount` back from the customer to whom you credited `data.collection_reference`, once for each `data.reference`",
  "webhook.test": "credit nothing",
};

/** A challenge is no event of the log: it has no numbers, and is sent again only on request. */
const OF_THE_LOG = new Set(["X-Service-Delivery", "X-Service-Sequence", "X-Service-Attempt"]);

const HEADERS: [name: string, description: string, schema: JsonObject][] = [
  [
    "X-Service-Signature",
    "HMAC-SHA512 of the raw body in lowercase hex, keyed with the UTF-8 bytes of the active signing secret.",
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

function received(kind: Kind, shape: string, summary: string | undefined): JsonObject {
  const isChallenge = kind === "endpoint.challenge";
  const headers = HEADERS.filter(([name]) => !isChallenge || !OF_THE_LOG.has(name));
  return {
    operationId: kind.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
    tags: ["Webhooks"],
    summary,
    description: isChallenge ? ANSWERING : `${VERIFYING}, and ${ACTING[kind] ?? ACTING_ONCE}. ${retried(kind)}`,
    security: [],
    parameters: headers.map(([name, description, schema]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema,
    })),
    requestBody: { required: true, content: { "application/json": { schema: refTo(shape) } } },
    responses: { "2XX": { description: isChallenge ? "The challenge." : "Received." } },
  };
}

const VERIFYING = "Verify the signature over the raw body before reading it";
const ANSWERING = `${VERIFYING}, and respond with the challenge within 8 seconds. Nothing else is sent to the URL until then.`;
const retried = (kind: Kind) =>
  kind === "webhook.test"
    ? "Without a 2xx response within 15 seconds it is sent once more."
    : "Without a 2xx response within 15 seconds it is retried for about 72 hours.";

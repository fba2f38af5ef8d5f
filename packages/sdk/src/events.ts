import type { components } from "../generated/openapi.ts";

type Schemas = components["schemas"];

/**
 * Money was received in a customer's account or in a collection account. Credit each `data.reference` once: an event can be
 * delivered more than once, and `GET /payments/{reference}` shows the same references in `collections`.
 */
export type CollectionSuccess = Schemas["CollectionSuccessEvent"];
export type TransferSuccess = Schemas["TransferSuccessEvent"];
export type TransferFailed = Schemas["TransferFailedEvent"];
/** The bank reversed a success. It can be delivered before that success, or without it. */
export type TransferReversed = Schemas["TransferReversedEvent"];
/** Sent from the dashboard to test the endpoint. No money is involved: acknowledge it, and credit nothing. */
export type WebhookTest = Schemas["WebhookTestEvent"];
/** Sent to a new webhook URL: respond with `data.challenge` as the body, and events will be sent there. */
export type EndpointChallenge = Schemas["EndpointChallengeEvent"];

/** The body of a webhook, discriminated by `event`. Kinds may be added: acknowledge and ignore those you do not know. */
export type WebhookEvent =
  | CollectionSuccess
  | TransferSuccess
  | TransferFailed
  | TransferReversed
  | WebhookTest
  | EndpointChallenge;
export type Collection = CollectionSuccess["data"];

import type { components } from "../generated/openapi.ts";

type Schemas = components["schemas"];

/**
 * Money landed in a customer's account or in a collection account. Credit each `data.reference` once: an event can come more
 * than once, and `GET /payments/{reference}` shows the same references in `collections`.
 */
export type CollectionSuccess = Schemas["CollectionSuccessEvent"];
export type TransferSuccess = Schemas["TransferSuccessEvent"];
export type TransferFailed = Schemas["TransferFailedEvent"];
/** The bank took a success back. It can come before that success, or without it. */
export type TransferReversed = Schemas["TransferReversedEvent"];
/** Sent from the dashboard to see whether it arrives. It is about no money: acknowledge it, and credit nothing. */
export type WebhookTest = Schemas["WebhookTestEvent"];

/** What a webhook carries, told apart by `event`. Kinds may be added: acknowledge those you do not know, and ignore them. */
export type WebhookEvent = CollectionSuccess | TransferSuccess | TransferFailed | TransferReversed | WebhookTest;
export type Collection = CollectionSuccess["data"];

import type {
  CollectionAttachedEvent,
  CollectionReversedEvent,
  CollectionSuccessEvent,
  EndpointChallengeEvent,
  TransferFailedEvent,
  TransferReversedEvent,
  TransferSuccessEvent,
  WebhookTestEvent,
} from "../generated/schemas.ts";

/** The body of a webhook, discriminated by `event`. Kinds may be added: acknowledge and ignore those you do not know. */
export type WebhookEvent =
  | CollectionAttachedEvent
  | CollectionReversedEvent
  | CollectionSuccessEvent
  | TransferSuccessEvent
  | TransferFailedEvent
  | TransferReversedEvent
  | WebhookTestEvent
  | EndpointChallengeEvent;

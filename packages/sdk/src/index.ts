export type * from "../generated/schemas.ts";
export type { AgeOptions } from "./age.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export {
  CollectError,
  type FieldError,
  type ProofChallenge,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from "./errors.ts";
export type { WebhookEvent } from "./events.ts";
export type { FollowOptions } from "./follow.ts";
export type { HeadersLike } from "./headers.ts";
export type { Body, CallOptions, Query, Result } from "./operations.ts";
export type { PagePromise } from "./pages.ts";
export { solveProof } from "./proof.ts";
export { createReceiver, type ReceiverOptions } from "./receiver.ts";
export type { ApiPromise, RateLimit, ResponseMetadata } from "./response.ts";
export { signTestWebhook, type TestWebhook, type TestWebhookOptions } from "./sign.ts";
export { verifyWebhook } from "./webhook.ts";

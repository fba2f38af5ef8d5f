import type { Result } from "./operations.ts";

export type { AgeOptions } from "./age.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export {
  CollectError,
  type FieldError,
  type ProofChallenge,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from "./errors.ts";
export type {
  Collection,
  CollectionSuccess,
  EndpointChallenge,
  TransferFailed,
  TransferReversed,
  TransferSuccess,
  WebhookEvent,
  WebhookTest,
} from "./events.ts";
export type { HeadersLike } from "./headers.ts";
export { solveProof } from "./proof.ts";
export { createReceiver, type ReceiverOptions } from "./receiver.ts";
export { verifyWebhook } from "./webhook.ts";

export type Balance = Result<"getBalance">;
export type CustomerAccount = Result<"getCustomerAccount">;
export type Payment = Result<"getPayment">;
export type Transfer = Result<"getTransfer">;
export type SimulationResult = Result<"simulatePayment">;

import { createHmac } from "node:crypto";
import type { Mode } from "@collect/contracts";
import { eventId } from "./event-id.ts";

/** The values in the headers of one attempt. `at` is when it is sent. */
export type AttemptToSign = EventToSend & { attempt: number } & Omit<ToSign, "id">;

type ToSign = {
  id: string;
  body: Buffer;
  secret: string;
  /** During a rotation: it also signs webhook-signature, and nothing else. */
  stagedSecret: string | null;
  at: Date;
};

export type EventToSend = { merchantId: string; mode: Mode; kind: string; sequence: bigint; number: bigint };

/** The headers of one attempt: ours, and those of Standard Webhooks. */
export function deliveryHeaders({ attempt, body, secret, stagedSecret, at, ...event }: AttemptToSign) {
  const constant = constantHeaders(event);
  return {
    ...constant,
    "x-service-attempt": attempt.toString(),
    ...signatureHeaders({ id: constant["webhook-id"], body, secret, stagedSecret, at }),
  };
}

/** The headers that sign one request, by `webhook-id`, time and body. */
export function signatureHeaders({ id, body, secret, stagedSecret, at }: ToSign) {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const secrets = stagedSecret === null ? [secret] : [secret, stagedSecret];
  const signed = { id, timestamp, body };
  return {
    "x-service-signature": serviceSignature(secret, body),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((each) => `v1,${standardSignature(each, signed)}`).join(" "),
  };
}

/** The headers that are the same on every attempt and replay to one URL. */
export function constantHeaders(event: EventToSend) {
  return {
    "content-type": "application/json",
    "user-agent": "Collect-Webhooks/1",
    "x-service-event": event.kind,
    "x-service-delivery": event.number.toString(),
    "x-service-sequence": event.sequence.toString(),
    "webhook-id": eventId({ id: event.merchantId, mode: event.mode }, event.sequence),
  };
}

/** Lower-case hex, keyed with the UTF-8 bytes of the secret as displayed. */
export function serviceSignature(secret: string, body: Uint8Array): string {
  return createHmac("sha512", secret).update(body).digest("hex");
}

/**
 * As the libraries of standardwebhooks.com verify it when they are given the secret as displayed: the key is the part after
 * `whsec_`, decoded from base64.
 */
function standardSignature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Buffer },
): string {
  // A key in a buffer takes five times as long as one in a string.
  const encoded = secret.replace(/^whsec_/, "");
  return createHmac("sha256", encoded, { encoding: "base64" })
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest("base64");
}

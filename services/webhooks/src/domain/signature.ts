import { createHmac } from "node:crypto";
import type { Mode } from "@collect/contracts";

/** What the headers of one attempt say. `at` is when it is sent. */
export type Attempted = {
  kind: string;
  mode: Mode;
  sequence: bigint;
  number: bigint;
  attempt: number;
  body: Buffer;
  secret: string;
  at: Date;
};

/** The headers of one attempt: ours, and those of Standard Webhooks beside them. */
export function deliveryHeaders({ kind, mode, sequence, number, attempt, body, secret, at }: Attempted) {
  const id = `evt_${mode}_${sequence}`;
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    "content-type": "application/json",
    "user-agent": "Collect-Webhooks/1",
    "x-service-signature": createHmac("sha512", secret).update(body).digest("hex"),
    "x-service-event": kind,
    "x-service-delivery": number.toString(),
    "x-service-sequence": sequence.toString(),
    "x-service-attempt": attempt.toString(),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standardSignature(secret, id, timestamp, body)}`,
  };
}

/**
 * As the libraries of standardwebhooks.com verify it when they are given the secret as it is shown: the key is what follows
 * `whsec_`, decoded from base64. `X-Service-Signature` is keyed with the UTF-8 bytes of the whole secret.
 */
function standardSignature(secret: string, id: string, timestamp: string, body: Buffer): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
}

import { createHmac } from "node:crypto";
import { isSame } from "../constant-time.ts";
import type { Notifications } from "../port.ts";
import { parseEvent } from "./event.ts";

const SIGNATURE_HEADER = "monnify-signature";
/** A settlement names every payment of its day, each with some hundred bytes. */
const BODY_MAX_BYTES = 4 * 1024 * 1024;

export type NotificationOptions = {
  /** The key of the signature of what Monnify reports: the same that proves our calls. */
  secretKey: string;
  /** Keys that still prove reports while the secret key is replaced. */
  formerSecretKeys?: readonly string[];
};

/** What Monnify reports to the bank door. Any answer with status 200 ends its tries; it repeats after all others. */
export function createNotifications({ secretKey, formerSecretKeys = [] }: NotificationOptions): Notifications {
  return {
    path: "/bank/monnify",
    reports: ["credit", "reversal", "settlement", "payout"],
    bodyMaxBytes: BODY_MAX_BYTES,
    authenticate: ({ headers, body }) =>
      [secretKey, ...formerSecretKeys].some((key) => isSame(headers[SIGNATURE_HEADER], signatureOf(body, key))),
    parse: parseEvent,
    answer: (outcome) =>
      outcome === "rejected" || outcome === "failed" ? undefined : { status: 200, body: { status: outcome } },
  };
}

/** Over the bytes as they came. Monnify's own library serializes the body again first, and so refuses some of its notifications. */
const signatureOf = (body: Uint8Array, secretKey: string) => createHmac("sha512", secretKey).update(body).digest("hex");

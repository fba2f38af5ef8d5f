import { createHmac, timingSafeEqual } from "node:crypto";
import { WebhookVerificationError } from "./errors.ts";
import { type HeadersLike, headerValues } from "./headers.ts";

export type AgeOptions = {
  /** How many seconds old, or ahead of this clock, a delivery may be; null accepts any age. 300 by default. */
  toleranceS?: number | null;
  /** The current time in milliseconds since 1970; `Date.now` by default. */
  now?: () => number;
};

const TOLERANCE_S = 300;

/**
 * Refuses a delivery that is too old or from the future: an attacker who has recorded one could send it again. The age is in
 * `webhook-timestamp`, which `webhook-signature` signs; X-Service-Signature covers the body only. A delivery without these
 * headers is refused too, for an attacker could leave them out.
 */
export function assertRecent(
  body: Uint8Array,
  headers: HeadersLike,
  { secrets, toleranceS = TOLERANCE_S, now = Date.now }: { secrets: readonly string[] } & AgeOptions,
): void {
  if (toleranceS === null) return;
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) assertSingle(headers, name);
  const [timestamp = ""] = headerValues(headers, "webhook-timestamp");
  if (!/^\d{1,12}$/.test(timestamp))
    throw refused("timestamp_malformed", "webhook-timestamp must be the seconds since 1970.");
  if (!hasStandardSignature(body, headers, secrets))
    throw refused(
      "signature_mismatch",
      "webhook-signature does not sign this webhook-id, webhook-timestamp and body: a header was changed on its way here.",
    );
  const ageS = Math.round(now() / 1_000) - Number(timestamp);
  if (ageS > toleranceS)
    throw refused(
      "timestamp_too_old",
      `This was sent ${ageS} s ago, and ${toleranceS} s are allowed. Respond with 400: every attempt has a time of its own. If all deliveries are refused, set this machine's clock.`,
    );
  if (-ageS > toleranceS)
    throw refused(
      "timestamp_in_future",
      `This was sent ${-ageS} s in the future, and ${toleranceS} s are allowed. Set this machine's clock.`,
    );
}

function assertSingle(headers: HeadersLike, name: string): void {
  if (headerValues(headers, name).length === 1) return;
  throw refused(
    "timestamp_missing",
    `The ${name} header is missing, so the age is unknown. Pass all headers of the request; toleranceS: null accepts deliveries of any age.`,
  );
}

/**
 * Whether one of the secrets signed the body, its id and its time in `webhook-signature`: while a secret is rotated, the current
 * and the staged one both do.
 */
export function hasStandardSignature(body: Uint8Array, headers: HeadersLike, secrets: readonly string[]): boolean {
  const [id = "", timestamp = "", signatures = ""] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => headerValues(headers, name)[0],
  );
  return secrets.some((secret) => {
    const expected = standardSignature(secret, { id, timestamp, body });
    return signatures.split(" ").some((each) => isOurs(each, expected));
  });
}

/** As Standard Webhooks defines it: the key is the part after `whsec_`, decoded from base64. */
export function standardSignature(
  secret: string,
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array | string },
): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** While a secret is rotated there are two signatures. */
function isOurs(signature: string, expected: Buffer): boolean {
  const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
  return signature.startsWith("v1,") && given.length === expected.length && timingSafeEqual(given, expected);
}

const refused = (code: WebhookVerificationError["code"], message: string) =>
  new WebhookVerificationError(code, message);

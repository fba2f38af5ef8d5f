import { createHmac, timingSafeEqual } from "node:crypto";
import { type AgeOptions, assertRecent, hasStandardSignature } from "./age.ts";
import { WebhookVerificationError } from "./errors.ts";
import type { WebhookEvent } from "./events.ts";
import { type HeadersLike, headerValues } from "./headers.ts";
import { whatDiffers } from "./mismatch.ts";
import { checkedSecrets } from "./secrets.ts";

/**
 * The event of a delivery, after its signature and its age are verified: `X-Service-Signature` is the hex HMAC-SHA512 of the raw
 * body, keyed with the signing secret as displayed. Pass the raw body, before any parser, and all headers. Several secrets are
 * accepted, and so is a staged one, which signs `webhook-signature` until it is activated. Throws a WebhookVerificationError with
 * the reason; respond with 400 then, and do not trust anything in the body.
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: AgeOptions = {},
): WebhookEvent {
  const secrets = checkedSecrets(secret);
  const body = rawBytes(rawBody);
  const given = givenSignature(headers);
  const fits = (bytes: Uint8Array) => secrets.some((key) => timingSafeEqual(given, signatureOf(bytes, key)));
  if (!fits(body) && !hasStandardSignature(body, headers, secrets)) throw whatDiffers(body, fits);
  assertRecent(body, headers, { secrets, ...options });
  return parsedEvent(body);
}

function signatureOf(body: Uint8Array, key: string): Buffer {
  return createHmac("sha512", key).update(body).digest();
}

function rawBytes(body: unknown): Uint8Array {
  const wrong = (what: string) => new WebhookVerificationError("body_not_raw", what);
  if (typeof body !== "string" && !(body instanceof Uint8Array))
    throw wrong(
      "The body is not bytes: it was parsed, or never read. Pass the raw body, for example from express.raw({ type: 'application/json' }).",
    );
  if (body.length === 0) throw wrong("The body is empty: other code has already read it.");
  return typeof body === "string" ? Buffer.from(body) : body;
}

function givenSignature(headers: HeadersLike): Buffer {
  const [signature, ...more] = headerValues(headers, "x-service-signature");
  if (signature === undefined)
    throw new WebhookVerificationError("signature_missing", "The X-Service-Signature header is missing.");
  if (more.length > 0 || !/^[0-9a-f]{128}$/i.test(signature))
    throw new WebhookVerificationError(
      "signature_malformed",
      `X-Service-Signature must be one value of 128 hex digits; this has ${[signature, ...more].join(", ").length} characters.`,
    );
  return Buffer.from(signature, "hex");
}

function parsedEvent(body: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(Buffer.from(body).toString());
    if (typeof event?.event === "string" && typeof event.data === "object") return event;
  } catch {
    // Reported below, like JSON that is not an event.
  }
  throw new WebhookVerificationError(
    "body_not_json",
    "The signature is valid, but the body is not the JSON of an event.",
  );
}

import { createHmac, timingSafeEqual } from "node:crypto";

/** The signature header of every message between the partner bank and us, in both directions. */
export const SIGNATURE_HEADER = "x-bank-signature";

/** Lowercase hex HMAC-SHA512 of the body's bytes, keyed with the UTF-8 bytes of the secret. */
export function signBody(rawBody: string | Uint8Array, secret: string): string {
  return createHmac("sha512", secret).update(rawBody).digest("hex");
}

/**
 * Whether the header is the body's signature. Takes the header from node:http, compares in constant time, never throws.
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  header: string | string[] | undefined,
  secret: string,
): boolean {
  if (typeof header !== "string") return false;
  const expected = Buffer.from(signBody(rawBody, secret));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

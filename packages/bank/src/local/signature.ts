import { createHmac } from "node:crypto";
import { isSame } from "../constant-time.ts";

/** The signature header of every message between the partner bank and us, in both directions. */
export const SIGNATURE_HEADER = "x-bank-signature";

/**
 * Lowercase hex HMAC-SHA512 of the body's bytes, keyed with the UTF-8 bytes of the secret. This is how the bank signs what
 * it reports to us.
 */
export function signBody(rawBody: string | Uint8Array, secret: string): string {
  return createHmac("sha512", secret).update(rawBody).digest("hex");
}

/**
 * Whether the header is the body's signature with one of the secrets: while a secret is rotated, two are valid. Takes the
 * header from node:http, compares in constant time, never throws.
 */
export function verifySignature(
  rawBody: string | Uint8Array,
  header: string | string[] | undefined,
  secrets: string | readonly string[],
): boolean {
  return [secrets].flat().some((secret) => isSame(header, signBody(rawBody, secret)));
}

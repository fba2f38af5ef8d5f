import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSame } from "../constant-time.ts";

export type ProvidusCredentials = {
  clientId: string;
  clientSecret: string;
  /** While the secret is replaced: what the bank still signs its reports with. */
  formerClientSecrets?: readonly string[];
};

export const CLIENT_HEADER = "client-id";
export const SIGNATURE_HEADER = "x-auth-signature";

/**
 * The signature of Providus in both directions: SHA-512 of the credentials. It is the same for every message, so it proves who
 * sent one only to those who have never sent it elsewhere, and nothing about its content.
 */
export function providusSignature(clientId: string, clientSecret: string): string {
  return createHash("sha512").update(`${clientId}:${clientSecret}`).digest("hex");
}

/** The bank writes its hex digits in either case. Compares in constant time. */
export function isSignedByProvidus(headers: IncomingHttpHeaders, credentials: ProvidusCredentials): boolean {
  const { clientId, clientSecret, formerClientSecrets = [] } = credentials;
  const given = headers[SIGNATURE_HEADER];
  if (typeof given !== "string") return false;
  return [clientSecret, ...formerClientSecrets].some((secret) =>
    isSame(given.toLowerCase(), providusSignature(clientId, secret)),
  );
}

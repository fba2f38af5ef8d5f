import { createHmac, randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSame } from "../constant-time.ts";
import { SIGNATURE_HEADER } from "./signature.ts";

/** When a call was signed, in seconds since 1970. */
export const TIMESTAMP_HEADER = "x-bank-timestamp";
/** Random for each call, so that the bank can refuse the same call a second time. */
export const NONCE_HEADER = "x-bank-nonce";
/** The bank refuses a call that was signed longer ago, or further in the future. */
export const CALL_WINDOW_S = 300;

/** A call to the partner bank. `target` is the path with its query, as in the first line of the HTTP request. */
type Call = { method: string; target: string; body: string | Uint8Array };

/** The headers that prove a call to the partner bank: no other party can have made it, changed it, or sent it elsewhere. */
export function signCall(call: Call, secret: string, now: Date): Record<string, string> {
  const [timestamp, nonce] = [String(Math.floor(now.getTime() / 1_000)), randomBytes(16).toString("hex")];
  return {
    [TIMESTAMP_HEADER]: timestamp,
    [NONCE_HEADER]: nonce,
    [SIGNATURE_HEADER]: signatureOf(call, { timestamp, nonce, secret }),
  };
}

/**
 * What the bank does: the nonce of a call that was signed with one of the secrets within the window; undefined for any
 * other. The bank must also refuse a nonce that it has seen within the window.
 */
export function verifyCall(
  call: Call,
  headers: IncomingHttpHeaders,
  secrets: readonly string[],
  now: Date,
): string | undefined {
  const [timestamp, nonce] = [headers[TIMESTAMP_HEADER], headers[NONCE_HEADER]];
  if (typeof timestamp !== "string" || typeof nonce !== "string") return undefined;
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{32}$/.test(nonce)) return undefined;
  if (Math.abs(now.getTime() / 1_000 - Number(timestamp)) > CALL_WINDOW_S) return undefined;
  const isSigned = secrets.some((secret) =>
    isSame(headers[SIGNATURE_HEADER], signatureOf(call, { timestamp, nonce, secret })),
  );
  return isSigned ? nonce : undefined;
}

/** Lowercase hex HMAC-SHA512 of method, target, timestamp and nonce, each followed by a line feed, and the body's bytes. */
function signatureOf(
  { method, target, body }: Call,
  { timestamp, nonce, secret }: { timestamp: string; nonce: string; secret: string },
): string {
  return createHmac("sha512", secret)
    .update(`${method}\n${target}\n${timestamp}\n${nonce}\n`)
    .update(body)
    .digest("hex");
}

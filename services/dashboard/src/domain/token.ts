import { createHash } from "node:crypto";

/** A token is 32 random bytes and returned once; only its SHA-256 is stored, from which it cannot be recovered. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newToken(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

export function isToken(text: unknown): text is string {
  return typeof text === "string" && TOKEN.test(text);
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

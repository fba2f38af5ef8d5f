import { createHash } from "node:crypto";

/** A token that is handed out once is 32 random bytes; what is kept is its SHA-256, from which it cannot be had back. */
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

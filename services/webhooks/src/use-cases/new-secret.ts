import { randomInt } from "node:crypto";

/** 190 random bits. Thirty-two characters are also valid base64 without padding, as Standard Webhooks requires of a key. */
export function newSecret(): string {
  return `whsec_${Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]).join("")}`;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

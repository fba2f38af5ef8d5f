import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Mode } from "@collect/contracts";
import { z } from "zod";

export const KeyType = z.object({ kind: z.enum(["secret", "public"]), mode: Mode });
export type KeyType = z.infer<typeof KeyType>;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const KEY = /^([sp]k_(?:test|live)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A whole number in [0, below), from a generator fit for secrets. */
export type RandomInt = (below: number) => number;

/** `sk_test_` + 32 random base62 characters (190 bits) + 6 that check all before them. */
export function newApiKey(type: KeyType, randomInt: RandomInt): string {
  const payload = `${keyPrefix(type)}${randomBase62(RANDOM_LENGTH, randomInt)}`;
  return `${payload}${checkOf(payload)}`;
}

/** The secret and the public key that a mode begins with, and what is kept of them. */
export function newKeyPair(mode: Mode, randomInt: RandomInt) {
  const secret = newApiKey({ kind: "secret", mode }, randomInt);
  const open = newApiKey({ kind: "public", mode }, randomInt);
  const records = [keyRecord(secret, { kind: "secret", mode }), keyRecord(open, { kind: "public", mode })];
  return { secret, public: open, records };
}

/** What is kept of a key: enough to recognise it and to tell it from others. Only a public one can be shown again. */
export function keyRecord(key: string, type: KeyType) {
  const publicKey = type.kind === "public" ? key : null;
  return { ...type, hash: hashKey(key), lastFour: key.slice(-4), publicKey };
}

export function keyPrefix({ kind, mode }: KeyType): string {
  return `${kind === "secret" ? "sk" : "pk"}_${mode}_`;
}

/** Whether this can be a key at all. What is mistyped is refused here, without a query. */
export function isWellFormed(key: string): boolean {
  const [, payload = "", check] = KEY.exec(key) ?? [];
  return check === checkOf(payload);
}

/** The mode that a key says it is of. What is no key can be refused in any: live, which has more room. */
export function modeOf(key: string | undefined): KeyType["mode"] {
  return /^[sp]k_test_/.test(key ?? "") ? "test" : "live";
}

/** By which a key is found. 190 random bits need neither salt nor stretching. */
export function hashKey(key: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(key).digest();
}

/** The key of an `Authorization: Bearer …` header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

export function newMerchantId(randomInt: RandomInt): string {
  return `mer_${randomBase62(22, randomInt)}`;
}

function randomBase62(length: number, randomInt: RandomInt): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
}

/** CRC32 in base62. It differs for any two payloads that differ in one character. */
function checkOf(payload: string): string {
  let left = crc32(payload);
  let check = "";
  while (check.length < CHECK_LENGTH) {
    check = BASE62.charAt(left % BASE62.length) + check;
    left = Math.floor(left / BASE62.length);
  }
  return check;
}

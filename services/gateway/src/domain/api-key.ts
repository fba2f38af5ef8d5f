import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Actor, type KeyScope, Mode } from "@collect/contracts";
import { z } from "zod";

export const KeyType = z.object({ kind: z.enum(["secret", "public", "restricted"]), mode: Mode });
export type KeyType = z.infer<typeof KeyType>;

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const KEY = /^([spr]k_(?:test|live)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** An integer in [0, below), from a cryptographically secure generator. */
export type RandomInt = (below: number) => number;

/** `sk_test_` + 32 random base62 characters (190 bits) + a checksum of 6. */
export function newApiKey(type: KeyType, randomInt: RandomInt): string {
  const payload = `${keyPrefix(type)}${randomBase62(RANDOM_LENGTH, randomInt)}`;
  return `${payload}${checksumOf(payload)}`;
}

/** The first secret and public key of a mode, and their records. */
export function newKeyPair(mode: Mode, randomInt: RandomInt, madeBy: Actor) {
  const secret = newApiKey({ kind: "secret", mode }, randomInt);
  const open = newApiKey({ kind: "public", mode }, randomInt);
  const records = [
    keyRecord(secret, { kind: "secret", mode, madeBy }),
    keyRecord(open, { kind: "public", mode, madeBy }),
  ];
  return { secret, public: open, records };
}

/** The stored record of a key: enough to recognize and to identify it. Of the keys here only a public one can be displayed again. */
export function keyRecord(key: string, described: KeyType & { madeBy: Actor } & Partial<Restriction>) {
  const publicKey = described.kind === "public" ? key : null;
  return { ...described, hash: hashKey(key), lastFour: key.slice(-4), publicKey };
}

/** What a restricted key is called, what it can do, and from which networks, if not from anywhere. */
export type Restriction = { name: string; scopes: KeyScope[]; addresses: string[] };

const PREFIXES = { secret: "sk", public: "pk", restricted: "rk" } as const;

export function keyPrefix({ kind, mode }: KeyType): string {
  return `${PREFIXES[kind]}_${mode}_`;
}

/** Whether the text has a key's format and checksum. A mistyped key is refused here, without a query. */
export function isWellFormed(key: string): boolean {
  const [, payload = "", check] = KEY.exec(key) ?? [];
  return check === checksumOf(payload);
}

/** The mode in a key's prefix. Anything that is not a key counts as live, which has more capacity. */
export function modeOf(key: string | undefined): KeyType["mode"] {
  return /^[spr]k_test_/.test(key ?? "") ? "test" : "live";
}

/** The hash by which a key is looked up. 190 random bits need neither salt nor stretching. */
export function hashKey(key: string): Buffer<ArrayBuffer> {
  return createHash("sha256").update(key).digest();
}

/** The key of an `Authorization: Bearer …` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}

export function newMerchantId(randomInt: RandomInt): string {
  return `mer_${randomBase62(22, randomInt)}`;
}

function randomBase62(length: number, randomInt: RandomInt): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
}

/** CRC32 in base62. It differs for any two payloads that differ in one character. */
function checksumOf(payload: string): string {
  let left = crc32(payload);
  let check = "";
  while (check.length < CHECK_LENGTH) {
    check = BASE62.charAt(left % BASE62.length) + check;
    left = Math.floor(left / BASE62.length);
  }
  return check;
}

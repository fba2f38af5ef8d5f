import { createCipheriv, createDecipheriv, createHmac, scrypt } from "node:crypto";

/**
 * An operator's password and authenticator, kept as one value: the authenticator's secret, encrypted under a key that scrypt
 * derives from the password. A copy of the database has neither, and what decrypts was the password.
 */

const [SALT_BYTES, IV_BYTES, TAG_BYTES, KEY_BYTES] = [16, 12, 16, 32];
/** About 100 ms and 32 MiB for an attempt. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

export async function seal(
  { password, secret }: { password: string; secret: string },
  randomBytes: (size: number) => Buffer,
): Promise<Buffer> {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)];
  const cipher = createCipheriv("aes-256-gcm", await keyOf(password, salt), iv);
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([salt, iv, cipher.getAuthTag(), text]);
}

/** The authenticator's secret; undefined if this is not the password. */
export async function unseal(password: string, sealed: Uint8Array): Promise<string | undefined> {
  const parts = [SALT_BYTES, IV_BYTES, TAG_BYTES].reduce<{ taken: Uint8Array[]; rest: Uint8Array }>(
    ({ taken, rest }, bytes) => ({ taken: [...taken, rest.subarray(0, bytes)], rest: rest.subarray(bytes) }),
    { taken: [], rest: sealed },
  );
  const [salt, iv, tag] = parts.taken;
  if (!salt || !iv || !tag) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", await keyOf(password, salt), iv).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(parts.rest), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

function keyOf(password: string, salt: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

const STEP_MS = 30_000;

/** The half minute whose code this is: the present one, or one before or after, for clocks that differ. RFC 6238. */
export function stepOf(code: string, { secret, now }: { secret: string; now: Date }): number | undefined {
  const present = Math.floor(now.getTime() / STEP_MS);
  return [present, present - 1, present + 1].find((step) => codeOf(secret, step) === code);
}

/** The six digits of a half minute. RFC 4226. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import { z } from "zod";

/** A key of a keyring. Where it comes from (a setting, a file, a key management service that unwraps it) is the caller's. */
export type KeyringKey = { id: string; key: KeyObject };

/**
 * The setting KEYRING: `k2:base64,k1:base64`, each key 32 random bytes. The first one encrypts, every one decrypts. Ids may not
 * be used again for another key: they are stored beside what was encrypted.
 */
export const KeyringKeys = z.string().transform((text, context): KeyringKeys => {
  const [first, ...others] = text.split(",").map((entry) => keyOf(entry.trim()));
  const ids = [first, ...others].map((key) => key?.id);
  if (first && others.every((key) => key !== undefined) && new Set(ids).size === ids.length) return [first, ...others];
  context.issues.push({ code: "custom", input: text, message: "must be id:base64,id:base64, each key 32 bytes" });
  return z.NEVER;
});
export type KeyringKeys = readonly [KeyringKey, ...KeyringKey[]];

/** Encrypts the secrets that a database holds, so that a copy of it gives none of them away. */
export type Keyring = {
  /**
   * The text in the form in which it is stored. The context names the row and column that it is for: anywhere else it cannot
   * be opened.
   */
  seal(plain: string, context: string): string;
  /** The text that was sealed in this context, or one that was stored before there was a keyring. Throws on any other. */
  open(stored: string, context: string): string;
  /** Whether it is stored in the form in which `seal` would store it now. */
  isCurrent(stored: string): boolean;
  /** False while a release that cannot open sealed texts may still run: then `seal` leaves them as they are. */
  isSealing: boolean;
};

/** AES-256-GCM with a random nonce for each text: `sealed:` key id `:` base64url of nonce, tag and ciphertext. */
const ALGORITHM = "aes-256-gcm";
const PREFIX = "sealed:";
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

export function createKeyring(keys: KeyringKeys, { isSealing = true } = {}): Keyring {
  const [current] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  return {
    isSealing,

    seal(plain, context) {
      if (!isSealing) return plain;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, nonce).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return `${PREFIX}${current.id}:${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64url")}`;
    },

    open(stored, context) {
      if (!isSealed(stored)) return stored;
      const [, id = "", text = ""] = stored.split(":");
      const key = byId.get(id);
      if (!key) throw new Error(`the key ${id} is not in KEYRING`);
      const bytes = Buffer.from(text, "base64url");
      const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)];
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(ALGORITHM, key, nonce, options).setAAD(Buffer.from(context)).setAuthTag(tag);
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    },

    isCurrent: (stored) => (isSealing ? stored.startsWith(`${PREFIX}${current.id}:`) : !isSealed(stored)),
  };
}

export const isSealed = (stored: string): boolean => stored.startsWith(PREFIX);

const KEY_BYTES = 32;

function keyOf(entry: string): KeyringKey | undefined {
  const { id, base64 } = /^(?<id>[a-z0-9]{1,16}):(?<base64>[A-Za-z0-9+/]+=*)$/.exec(entry)?.groups ?? {};
  const bytes = Buffer.from(base64 ?? "", "base64");
  return id && bytes.length === KEY_BYTES ? { id, key: createSecretKey(bytes) } : undefined;
}

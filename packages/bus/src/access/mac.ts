import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { MacKeys } from "@collect/runtime";

/** Message authentication codes under a keyring: `id:hex` of HMAC-SHA256. */
export type Mac = {
  /** With the first key. */
  of(text: string): string;
  /** With any of the keys. */
  isValid(text: string, mac: unknown): boolean;
};

/** `id:hex[,id:hex…]`: the first key signs, and all verify, so that a key can be replaced while messages are in flight. */
export function createMac(keyring: string): Mac {
  const keys = MacKeys.parse(keyring)
    .split(",")
    .map((entry) => {
      const [id = "", hex = ""] = entry.split(":");
      return { id, key: createSecretKey(hex, "hex") };
    });
  const byId = new Map(keys.map(({ id, key }) => [id, key]));
  const [newest] = keys;
  if (!newest || byId.size < keys.length) throw new Error("two keys of a keyring have the same id");
  return {
    of: (text) => `${newest.id}:${digest(newest.key, text)}`,
    isValid(text, mac) {
      const [id = "", given = ""] = typeof mac === "string" ? mac.split(":") : [];
      const key = byId.get(id);
      if (!key) return false;
      const [expected, actual] = [Buffer.from(digest(key, text)), Buffer.from(given)];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}

const digest = (key: KeyObject, text: string) => createHmac("sha256", key).update(text).digest("hex");

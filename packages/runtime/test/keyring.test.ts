import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createKeyring, KeyringKeys } from "../src/index.ts";

const aKey = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [k1, k2] = [aKey("k1"), aKey("k2")];
const keyring = (text: string, options?: { isSealing: boolean }) => createKeyring(KeyringKeys.parse(text), options);

const SECRET = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
const ROW = "the signing secret of mer_1 in live";

describe("a sealed secret", () => {
  test("is opened in its own context, contains nothing of the secret, and is never the same twice", () => {
    const ring = keyring(k1);
    const [one, other] = [ring.seal(SECRET, ROW), ring.seal(SECRET, ROW)];
    expect([ring.open(one, ROW), ring.open(other, ROW)]).toEqual([SECRET, SECRET]);
    expect(one).toMatch(/^sealed:k1:[\w-]+$/);
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split(":")[2] ?? "", "base64url").toString("latin1")).not.toContain("whsec");
    expect(ring.open(ring.seal("₦ é \u0000", ROW), ROW)).toBe("₦ é \u0000");
    expect(ring.open(ring.seal("", ROW), ROW)).toBe("");
  });

  test("copied to another merchant's row is not opened, nor is one of which any byte was changed", () => {
    const ring = keyring(k1);
    const sealed = ring.seal(SECRET, ROW);
    expect(() => ring.open(sealed, "the signing secret of mer_2 in live")).toThrow();
    const [, , text = ""] = sealed.split(":");
    for (let at = 0; at < Buffer.from(text, "base64url").length; at++) {
      const bytes = Buffer.from(text, "base64url");
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => ring.open(`sealed:k1:${bytes.toString("base64url")}`, ROW)).toThrow();
    }
    for (const cut of ["", text.slice(0, 10), text.slice(0, -2)])
      expect(() => ring.open(`sealed:k1:${cut}`, ROW)).toThrow();
  });

  test("is opened with the key that its id names, and with no other", () => {
    const sealed = keyring(k1).seal(SECRET, ROW);
    expect(keyring(`${k2},${k1}`).open(sealed, ROW)).toBe(SECRET);
    expect(() => keyring(k2).open(sealed, ROW)).toThrow("the key k1 is not in KEYRING");
    expect(() => keyring(aKey("k1")).open(sealed, ROW)).toThrow();
  });

  test("is sealed with the first key, and is current only if it was", () => {
    const [before, after] = [keyring(k1), keyring(`${k2},${k1}`)];
    const sealed = before.seal(SECRET, ROW);
    expect([before.isCurrent(sealed), after.isCurrent(sealed)]).toEqual([true, false]);
    const again = after.seal(after.open(sealed, ROW), ROW);
    expect(after.isCurrent(again)).toBe(true);
    expect(keyring(k2).open(again, ROW)).toBe(SECRET);
  });
});

test("a secret that a former release stored is returned as it is, and is not current", () => {
  const ring = keyring(k1);
  expect(ring.open(SECRET, ROW)).toBe(SECRET);
  expect(ring.isCurrent(SECRET)).toBe(false);
});

test("a keyring that does not seal yet opens both forms, and leaves what it stores as it is", () => {
  const [sealing, waiting] = [keyring(k1), keyring(k1, { isSealing: false })];
  expect(waiting.seal(SECRET, ROW)).toBe(SECRET);
  expect(waiting.open(sealing.seal(SECRET, ROW), ROW)).toBe(SECRET);
  expect([waiting.isCurrent(SECRET), waiting.isCurrent(sealing.seal(SECRET, ROW))]).toEqual([true, false]);
});

test.each([
  "",
  "k1",
  "k1:",
  "k1:short",
  `k1:${randomBytes(31).toString("base64")}`,
  `K 1:${randomBytes(32).toString("base64")}`,
  `k1:${"not base64 ".repeat(5)}`,
  `${k1},`,
  `${k1},${k1}`,
  `${k1},${aKey("k1")}`,
])("the keyring %j is refused", (text) => expect(KeyringKeys.safeParse(text).success).toBe(false));

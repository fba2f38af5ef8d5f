import { randomInt } from "node:crypto";
import { MODES } from "@collect/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bearerToken, isWellFormed, type KeyType, keyPrefix, keyRecord, newApiKey, newMerchantId } from "./api-key.ts";

const types = fc.record<KeyType>({
  kind: fc.constantFrom("secret", "public", "restricted"),
  mode: fc.constantFrom(...MODES),
});
const keys = types.map((type) => newApiKey(type, randomInt));

test("a key has the prefix of its kind and mode, is long enough, and is well-formed", () => {
  fc.assert(
    fc.property(types, (type) => {
      const key = newApiKey(type, randomInt);
      expect(key).toMatch(new RegExp(`^${keyPrefix(type)}[0-9A-Za-z]{38}$`));
      expect(isWellFormed(key)).toBe(true);
    }),
  );
});

test("a key with one character changed, omitted, doubled or swapped with its neighbor is refused without a query", () => {
  fc.assert(
    fc.property(
      keys,
      fc.nat(45),
      fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }),
      (key, at, character) => {
        const [before, old, after] = [key.slice(0, at), key.charAt(at), key.slice(at + 1)];
        const swapped = `${before}${after.charAt(0)}${old}${after.slice(1)}`;
        for (const wrong of [
          `${before}${character}${after}`,
          `${before}${after}`,
          `${before}${old}${old}${after}`,
          swapped,
        ])
          expect(isWellFormed(wrong)).toBe(wrong === key);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("anything that is not a key is refused", () => {
  fc.assert(fc.property(fc.string(), (text) => !isWellFormed(text)));
});

test("every base62 character can occur, and randomness is injected", () => {
  const key = newApiKey({ kind: "secret", mode: "test" }, () => 61);
  expect(key.slice(0, 40)).toBe(`sk_test_${"z".repeat(32)}`);
  expect(newMerchantId(() => 0)).toBe(`mer_${"0".repeat(22)}`);
});

test("a public key is stored in clear, a secret or restricted one only as a hash", () => {
  const [open, secret, restricted] = (["public", "secret", "restricted"] as const).map((kind) => {
    const key = newApiKey({ kind, mode: "live" }, randomInt);
    return { key, record: keyRecord(key, { kind, mode: "live", madeBy: { kind: "operator", name: "ada" } }) };
  });
  expect(open?.record.publicKey).toBe(open?.key);
  expect(secret?.record).toMatchObject({ publicKey: null, lastFour: secret?.key.slice(-4) });
  expect(restricted?.record).toMatchObject({ publicKey: null, lastFour: restricted?.key.slice(-4) });
  expect([secret?.record.hash.length, restricted?.record.hash.length]).toEqual([32, 32]);
});

test.each([
  ["Bearer abc", "abc"],
  ["bearer  abc", "abc"],
  ["Bearer", undefined],
  ["Bearer a b", undefined],
  ["Basic abc", undefined],
  [undefined, undefined],
])("the key of %s is %s", (header, key) => expect(bearerToken(header)).toBe(key));

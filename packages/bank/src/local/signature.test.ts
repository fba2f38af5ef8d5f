import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signBody, verifySignature } from "./signature.ts";

const bodies = fc.uint8Array({ maxLength: 500 });
const secrets = fc.string({ minLength: 1, maxLength: 64 });

describe("the bank's signature", () => {
  test("is the lowercase hex HMAC-SHA512 of the body (test vector of RFC 4231)", () => {
    expect(signBody("what do ya want for nothing?", "Jefe")).toBe(
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
    );
  });

  test("of any body with any secret is accepted", () => {
    fc.assert(
      fc.property(bodies, secrets, (body, secret) => {
        expect(verifySignature(body, signBody(body, secret), secret)).toBe(true);
      }),
    );
  });

  test("is refused if any byte of the body has changed", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        secrets,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (body, secret, at, flip) => {
          const changed = body.map((byte, position) => (position === at % body.length ? byte ^ flip : byte));
          expect(verifySignature(changed, signBody(body, secret), secret)).toBe(false);
        },
      ),
    );
  });

  test("is refused if any of its characters has changed", () => {
    fc.assert(
      fc.property(bodies, secrets, fc.nat(127), (body, secret, at) => {
        const signature = signBody(body, secret);
        const changed = `${signature.slice(0, at)}${signature[at] === "0" ? "1" : "0"}${signature.slice(at + 1)}`;
        expect(verifySignature(body, changed, secret)).toBe(false);
      }),
    );
  });

  test("of another secret is refused", () => {
    fc.assert(
      fc.property(bodies, fc.uniqueArray(secrets, { minLength: 2, maxLength: 2 }), (body, [ours = "", theirs = ""]) => {
        expect(verifySignature(body, signBody(body, theirs), ours)).toBe(sameKey(ours, theirs));
      }),
    );
  });

  const right = signBody("{}", "secret");
  test.each([
    ["missing", undefined],
    ["sent twice", [right, right]],
    ["empty", ""],
    ["truncated", right.slice(0, -1)],
    ["too long", `${right}0`],
    ["uppercase", right.toUpperCase()],
    ["not hex", "z".repeat(128)],
    ["of the right length in characters but not in bytes", "é".repeat(128)],
    ["prefixed", `sha512=${right}`],
  ])("that is %s is refused without an exception", (_case, header) =>
    expect(verifySignature("{}", header, "secret")).toBe(false),
  );
});

/** HMAC pads keys with zero bytes, so secrets that differ only in trailing NULs are one key. */
function sameKey(one: string, other: string): boolean {
  return createHmac("sha512", one).update("").digest("hex") === createHmac("sha512", other).update("").digest("hex");
}

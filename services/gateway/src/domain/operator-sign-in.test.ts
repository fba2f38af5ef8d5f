import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { codeOf, seal, stepOf, unseal } from "./operator-sign-in.ts";

/** The secret of the examples in RFC 6238. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test("the codes are those of RFC 6238", () => {
  // The last six of the eight digits in appendix B, by seconds since 1970.
  const codes = { 59: "287082", 1111111109: "081804", 1234567890: "005924", 20000000000: "353130" };
  for (const [seconds, code] of Object.entries(codes))
    expect(codeOf(SECRET, Math.floor(Number(seconds) / 30)), seconds).toBe(code);
});

test("a code is good for its half minute and the one before and after", () => {
  const now = new Date(1_111_111_109_000);
  const present = Math.floor(1_111_111_109 / 30);
  const found = [-2, -1, 0, 1, 2].map((by) => stepOf(codeOf(SECRET, present + by), { secret: SECRET, now }));
  expect(found).toEqual([undefined, present - 1, present, present + 1, undefined]);
});

test("only the password opens what it sealed, and nothing of either can be read there", async () => {
  const sealed = await seal({ password: "four plain words here", secret: SECRET }, randomBytes);
  expect(await unseal("four plain words here", sealed)).toBe(SECRET);
  expect(await unseal("four plain words herE", sealed)).toBeUndefined();
  expect(sealed.toString("latin1")).not.toContain(SECRET);
  const changed = Buffer.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(await unseal("four plain words here", changed)).toBeUndefined();
});

import { expect, test } from "vitest";
import { assertMayHaveKey, standingOf } from "./standing.ts";

const suspension = { reason: "Chargebacks", since: "2026-11-22T09:30:00.000+00:00" };

test.each([
  [null, false, "draft"],
  ["draft", false, "draft"],
  ["submitted", false, "submitted"],
  ["returned", false, "returned"],
  ["submitted", true, "verified"],
  ["approved", true, "verified"],
  // Only the merchant's row verifies: an approval without it is not one.
  ["approved", false, "draft"],
])(
  "a merchant whose verification is %s and that is verified: %s stands as %s, unless it is suspended",
  (state, verified, standing) => {
    expect(standingOf({ state, verified, suspension: null })).toEqual({ standing, verified, suspension: null });
    expect(standingOf({ state, verified, suspension })).toEqual({ standing: "suspended", verified, suspension });
  },
);

test("a live key needs a verified merchant that is not suspended; a test key needs neither", () => {
  const now = new Date();
  const refusal = (verified_at: Date | null, suspended_at: Date | null) => () =>
    assertMayHaveKey("live", { verified_at, suspended_at });
  expect(refusal(null, null)).toThrow(/^verification_required/);
  expect(refusal(null, now)).toThrow(/^merchant_suspended/);
  expect(refusal(now, now)).toThrow(/^merchant_suspended/);
  expect(refusal(now, null)).not.toThrow();
  expect(() => assertMayHaveKey("test", { verified_at: null, suspended_at: now })).not.toThrow();
});

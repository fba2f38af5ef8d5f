import { expect, test } from "vitest";
import { descriptionOf, isSameLink, type LinkTerms, linkStatus, slugOf, UNPAID_MAX } from "./payment-link.ts";

const NOW = "2026-11-21T09:00:00.000+00:00";
const OPEN = { disabled: false, expiresAt: null, usesMax: null, uses: 0, usesUnpaid: 0 };
const TERMS: LinkTerms = { title: "Lamp", description: null, amount: 100n, expiresAt: null, usesMax: null };

test.each([
  ["active without an end or a limit, however often it was used", { uses: 1_000_000 }, "active"],
  ["active until the last millisecond", { expiresAt: "2026-11-21T10:00:00.001+01:00" }, "active"],
  ["expired at its end", { expiresAt: "2026-11-21T10:00:00.000+01:00" }, "expired"],
  ["active while a use is left", { usesMax: 3, uses: 2 }, "active"],
  ["used up with its last use", { usesMax: 3, uses: 3 }, "used_up"],
  ["held while payments in progress take the remaining uses", { usesMax: 3, uses: 3, usesUnpaid: 1 }, "held"],
  ["used up when a late transfer took the use of an open payment", { usesMax: 3, uses: 4, usesUnpaid: 1 }, "used_up"],
  ["active below the maximum of unpaid payments", { uses: 1_000, usesUnpaid: UNPAID_MAX - 1 }, "active"],
  ["held by as many unpaid payments as a link may have", { uses: 1_000, usesUnpaid: UNPAID_MAX }, "held"],
  ["used up when a late transfer exceeded the maximum", { usesMax: 3, uses: 4 }, "used_up"],
  ["disabled before anything else", { disabled: true, expiresAt: NOW, usesMax: 1, uses: 1 }, "disabled"],
] as const)("a link is %s", (_what, given, status) => {
  expect(linkStatus({ ...OPEN, ...given }, NOW)).toBe(status);
});

test("a slug is ten base58 characters, and different bytes give different slugs", () => {
  const slugs = Array.from({ length: 256 }, (_, byte) => slugOf(new Uint8Array(16).fill(byte)));
  for (const slug of slugs) expect(slug).toMatch(/^[1-9A-HJ-NP-Za-km-z]{10}$/);
  expect(new Set(slugs).size).toBe(256);
});

test("terms are the same when each is, and times when they are the same instant", () => {
  const until = { ...TERMS, expiresAt: "2026-11-21T10:00:00.000+01:00" };
  expect(isSameLink(TERMS, { ...TERMS })).toBe(true);
  expect(isSameLink(until, { ...until, expiresAt: NOW })).toBe(true);
  for (const other of [{ title: "Lamps" }, { description: "" }, { amount: null }, { usesMax: 1 }, { expiresAt: NOW }])
    expect(isSameLink(TERMS, { ...TERMS, ...other })).toBe(false);
});

test("a session's description is the title and, on the next line, the link's description", () => {
  expect(descriptionOf(TERMS)).toBe("Lamp");
  expect(descriptionOf({ ...TERMS, description: "Of brass" })).toBe("Lamp\nOf brass");
});

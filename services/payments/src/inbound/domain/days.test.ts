import { expect, test } from "vitest";
import { daysOf } from "./days.ts";

test.each([
  ["2026-11-21", "2026-11-21"],
  ["2026-08-22", "2026-11-21"],
])("%s to %s can be summed", (from, to) => {
  expect(daysOf({ from, to })).toEqual({ first: from, last: to });
});

test.each([
  ["93 days", "2026-08-21", "2026-11-21"],
  ["a span that runs backwards", "2026-11-22", "2026-11-21"],
  ["days of a year that PostgreSQL does not accept", "0000-01-01", "0000-01-01"],
])("%s cannot", (_what, from, to) => {
  expect(() => daysOf({ from, to })).toThrow("validation_failed");
});

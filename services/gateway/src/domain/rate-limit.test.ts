import fc from "fast-check";
import { expect, test } from "vitest";
import { CELLS, type Cells, rateLimitFields, standingOf } from "./rate-limit.ts";

const MINUTE = 29_000_000;
const cells = fc.record<Cells>({
  quota: fc.integer({ min: 1, max: 600 }),
  counts: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: CELLS, maxLength: CELLS }),
  minute: fc.constant(MINUTE),
});

/** The cells as the database would return them some minutes later, without a call in between. */
function later({ counts, minute, quota }: Cells, minutes: number): Cells {
  const empty = Array.from({ length: Math.min(minutes, CELLS) }, () => 0);
  return { quota, minute: minute + minutes, counts: [...empty, ...counts].slice(0, CELLS) };
}

test("the budget increases exactly at the announced time, and not a second before", () => {
  fc.assert(
    fc.property(cells, fc.double({ min: 0, max: 59.99, noNaN: true }), (given, second) => {
      const now = MINUTE * 60 + second;
      const { remaining, freesInSeconds } = standingOf(given, now);
      const leftAt = (time: number) => standingOf(later(given, Math.floor(time / 60) - MINUTE), time).remaining;
      expect(leftAt(now + freesInSeconds - 1)).toBe(remaining);
      if (given.counts.some((count) => count > 0)) expect(leftAt(now + freesInSeconds)).toBeGreaterThan(remaining);
      expect(freesInSeconds).toBeLessThanOrEqual(CELLS * 60);
    }),
  );
});

test("the remaining budget is never negative, even after a limit was lowered", () => {
  fc.assert(fc.property(cells, (given) => standingOf(given, MINUTE * 60).remaining >= 0));
});

test("a call stops counting within an hour and a minute", () => {
  const counts = [1, ...Array.from({ length: CELLS - 1 }, () => 0)];
  expect(standingOf({ quota: 300, counts, minute: MINUTE }, MINUTE * 60)).toEqual({
    remaining: 299,
    freesInSeconds: 3_660,
  });
});

test("the header fields have the format of draft 8", () => {
  expect(rateLimitFields("accounts", 300, { remaining: 299, freesInSeconds: 3_660 })).toEqual({
    "RateLimit-Policy": '"accounts";q=300;w=3600',
    RateLimit: '"accounts";r=299;t=3660',
  });
});

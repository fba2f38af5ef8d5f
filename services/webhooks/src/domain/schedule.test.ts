import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeatable, retryAfter, SCHEDULE, waitAfter } from "./schedule.ts";

const HOUR = 3_600_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const retries = SCHEDULE.delaysMs.length;

/** All waits of a delivery that is never acknowledged. */
function waits(randoms: number[], retryAfterMs?: number): (number | undefined)[] {
  return randoms.map((value, index) => waitAfter(SCHEDULE, { attempt: index + 1, retryAfterMs }, value));
}

describe("the schedule", () => {
  test("is the documented one", () => {
    expect(SCHEDULE.delaysMs.map((ms) => ms / 1_000)).toEqual([
      5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 28_800, 43_200, 43_200, 43_200, 50_400,
    ]);
  });

  test("every wait is within 20 % of the schedule, and the total is about 72 hours", () => {
    fc.assert(
      fc.property(fc.array(random, { minLength: retries, maxLength: retries }), (randoms) => {
        const all = waits(randoms);
        SCHEDULE.delaysMs.forEach((delay, index) => {
          expect(all[index]).toBeGreaterThanOrEqual(Math.floor(delay * 0.8));
          expect(all[index]).toBeLessThanOrEqual(Math.ceil(delay * 1.2));
        });
        const total = all.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
        expect(total).toBeGreaterThan(57 * HOUR);
        expect(total).toBeLessThan(87 * HOUR);
      }),
    );
  });

  test("without jitter it ends after 72 hours, give or take ten minutes", () => {
    const total = waits(Array(retries).fill(0.5)).reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
    expect(Math.abs(total - 72 * HOUR)).toBeLessThan(10 * 60_000);
  });

  test("after the last retry there is no further attempt, whatever Retry-After says", () => {
    fc.assert(
      fc.property(fc.integer({ min: retries + 1, max: 1_000 }), random, fc.nat(), (attempt, value, retryAfterMs) => {
        expect(waitAfter(SCHEDULE, { attempt, retryAfterMs }, value)).toBeUndefined();
      }),
    );
  });

  test("Retry-After never shortens a wait, and extends it to at most a day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: retries }), random, fc.nat(400 * HOUR), (attempt, value, retryAfterMs) => {
        const plain = waitAfter(SCHEDULE, { attempt, retryAfterMs: undefined }, value) ?? 0;
        const wait = waitAfter(SCHEDULE, { attempt, retryAfterMs }, value) ?? 0;
        expect(wait).toBe(Math.max(plain, Math.min(retryAfterMs, 24 * HOUR)));
      }),
    );
  });
});

test("in test mode the spread of retries is the same each time, and different for another event or attempt", () => {
  const spread = repeatable({ sequence: 7n, attempt: 1 });
  expect(repeatable({ sequence: 7n, attempt: 1 })).toBe(spread);
  const others = [repeatable({ sequence: 8n, attempt: 1 }), repeatable({ sequence: 7n, attempt: 2 })];
  expect(new Set([spread, ...others]).size).toBe(3);
  for (const one of [spread, ...others]) expect(one >= 0 && one < 1).toBe(true);
});

const now = new Date("2026-11-21T09:30:00.000Z");
test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Sat, 21 Nov 2026 09:31:00 GMT", 60_000],
  ["Sat, 21 Nov 2026 09:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["soon", undefined],
  ["9999999999999", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %j is %j ms", (header, expected) => expect(retryAfter(header, now)).toBe(expected));

import { expect, test } from "vitest";
import {
  bothTimes,
  dateOf,
  dueTime,
  exactTime,
  lagosDay,
  lagosInstant,
  preciseTime,
  startOfLagosDay,
} from "./lagos-time.ts";

const AT = "2026-11-21T23:30:05.000Z";

test("a time is Lagos time and says so, on the day that Lagos has", () => {
  expect([exactTime(AT), dueTime(AT), dateOf(AT), lagosDay(AT), preciseTime(AT)]).toEqual([
    "22 Nov 2026, 00:30:05 WAT",
    "Sun 22 Nov 00:30 WAT",
    "22 Nov 2026",
    "2026-11-22",
    "22 Nov, 00:30:05.000 WAT",
  ]);
});

test("the hover adds the browser's own time where it differs", () => {
  expect(bothTimes(AT, "America/New_York")).toBe(
    "22 Nov 2026, 00:30:05 WAT\n21 Nov 2026, 18:30:05 in your time zone (America/New_York)",
  );
  expect(bothTimes(AT, "Africa/Douala")).toBe("22 Nov 2026, 00:30:05 WAT");
});

test("a picked day and a picked time are Lagos's, in winter and in summer", () => {
  expect(startOfLagosDay("2026-07-01")).toBe("2026-06-30T23:00:00.000Z");
  expect(startOfLagosDay("2026-11-22", 1)).toBe("2026-11-22T23:00:00.000Z");
  expect(lagosInstant("2026-07-01 10:30:00")).toBe("2026-07-01T09:30:00.000Z");
  expect(lagosDay(startOfLagosDay("2026-02-28", 1))).toBe("2026-03-01");
});

import { expect, test } from "vitest";
import { dayOf, daysBetween, presets, spanWords, startOf } from "./lagos-days.ts";

/** Half past midnight in Lagos, and still the day before in UTC. */
const NOW = Date.parse("2026-11-22T23:30:00Z");

test("a day begins at midnight in Lagos, an hour before UTC's", () => {
  expect(dayOf(NOW)).toBe("2026-11-23");
  expect([startOf("2026-11-23"), startOf("2026-11-23", 1)]).toEqual([
    "2026-11-22T23:00:00.000Z",
    "2026-11-23T23:00:00.000Z",
  ]);
});

test("days that were picked are the days that are shown again, both included", () => {
  expect(daysBetween(startOf("2026-11-01"), startOf("2026-11-07", 1))).toEqual(["2026-11-01", "2026-11-07"]);
  expect(daysBetween("yesterday", null)).toEqual([null, null]);
});

test("today, 7 days and this month begin at midnight in Lagos and include today", () => {
  expect(presets(NOW).map(({ from }) => from)).toEqual([
    "2026-11-22T23:00:00.000Z",
    "2026-11-16T23:00:00.000Z",
    "2026-10-31T23:00:00.000Z",
  ]);
});

test("a span is shown in words, a preset by its name", () => {
  const words = (from: string | null, before: string | null) => spanWords(from, before, NOW);
  expect(words(startOf("2026-11-23"), null)).toBe("Today");
  expect(words(startOf("2026-11-05"), null)).toBe("since 5 Nov 2026");
  expect(words(null, startOf("2026-11-05", 1))).toBe("until 5 Nov 2026");
  expect(words(startOf("2026-11-05"), startOf("2026-11-05", 1))).toBe("5 Nov 2026");
  expect(words(startOf("2026-11-01"), startOf("2026-11-07", 1))?.replaceAll(/\s/g, " ")).toBe("1 – 7 Nov 2026");
  expect(words(null, null)).toBeUndefined();
});

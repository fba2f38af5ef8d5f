import { expect, test } from "vitest";
import { daysBetween, presets, spanWords } from "./lagos-days.ts";
import { startOfLagosDay } from "./lagos-time.ts";

/** Half past midnight in Lagos, and still the day before in UTC. */
const NOW = Date.parse("2026-11-22T23:30:00Z");

test("days that were picked are the days that are shown again, both included", () => {
  expect(daysBetween(startOfLagosDay("2026-11-01"), startOfLagosDay("2026-11-07", 1))).toEqual([
    "2026-11-01",
    "2026-11-07",
  ]);
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
  expect(words(startOfLagosDay("2026-11-23"), null)).toBe("Today");
  expect(words(startOfLagosDay("2026-11-05"), null)).toBe("since 5 Nov 2026");
  expect(words(null, startOfLagosDay("2026-11-05", 1))).toBe("until 5 Nov 2026");
  expect(words(startOfLagosDay("2026-11-05"), startOfLagosDay("2026-11-05", 1))).toBe("5 Nov 2026");
  expect(words(startOfLagosDay("2026-11-01"), startOfLagosDay("2026-11-07", 1))?.replaceAll(/\s/g, " ")).toBe(
    "1 – 7 Nov 2026",
  );
  expect(words(null, null)).toBeUndefined();
});

import { expect, test } from "vitest";
import { comparedWith, dayLabel, daysBefore, everyDay, lastDays, shortNaira } from "./days.ts";

test("a day is a Lagos day: 23:30 in London is the next day there", () => {
  expect(lastDays(1, Date.parse("2026-11-21T22:59:59Z"))).toEqual(["2026-11-21"]);
  expect(lastDays(1, Date.parse("2026-11-21T23:30:00Z"))).toEqual(["2026-11-22"]);
});

test("the last thirty days end with today, without gaps or repeats", () => {
  const days = lastDays(30, Date.parse("2026-03-01T12:00:00Z"));
  expect([days.length, new Set(days).size, days.at(0), days.at(-2), days.at(-1)]).toEqual([
    30,
    30,
    "2026-01-31",
    "2026-02-28",
    "2026-03-01",
  ]);
});

test("a day without collections is shown as zero, not omitted", () => {
  const sums = { days: [{ day: "2026-11-21", amount: 100.5, net: 99.5, fee: 1, count: 2 }] };
  expect(everyDay(["2026-11-20", "2026-11-21"], sums)).toEqual([
    { day: "2026-11-20", label: "20 Nov", amount: 0, net: 0, count: 0 },
    { day: "2026-11-21", label: "21 Nov", amount: 100.5, net: 99.5, count: 2 },
  ]);
});

test("a day has its own date in every time zone, and large sums are shortened to fit beside a chart", () => {
  expect(dayLabel("2026-01-01")).toBe("1 Jan");
  expect([shortNaira(1_234_567), shortNaira(950)]).toEqual(["₦1.23M", "₦950"]);
});

test("the period before ends where the shown one begins", () => {
  const now = Date.parse("2026-11-21T09:30:00Z");
  expect([...daysBefore(7, now), ...lastDays(7, now)]).toEqual(lastDays(14, now));
});

test.each([
  [150, 100, "50% more than in the 7 days before"],
  [50, 100, "50% less than in the 7 days before"],
  [100, 100, "as much as in the 7 days before"],
  [100, 0, "nothing in the 7 days before"],
  [0, 100, "100% less than in the 7 days before"],
  [0, 0, undefined],
])("%s after %s is compared in words", (total, before, words) => expect(comparedWith(total, before, 7)).toBe(words));

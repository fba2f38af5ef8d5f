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

test("the period before ends where the shown one begins, and has one day more", () => {
  const now = Date.parse("2026-11-21T09:30:00Z");
  expect([...daysBefore(7, now), ...lastDays(7, now)]).toEqual(lastDays(15, now));
});

/** Seven shown days with this much each, today included, after eight earlier ones. */
const compared = (each: number, before: number, today = each) => {
  const now = Date.parse("2026-11-21T22:59:59Z");
  const sums = (days: string[], amount: number) => days.map((day) => ({ day, label: "", amount, net: 0, count: 1 }));
  const [shown, earlier] = [sums(lastDays(7, now), each), sums(daysBefore(7, now), before)];
  // The first of the seven days to yesterday is the last of the earlier ones.
  const [last, first] = [shown.at(-1), earlier.at(-1)];
  if (last && first) [last.amount, first.amount] = [today, each];
  return comparedWith(shown, earlier);
};

test.each([
  [150, 100, "The 7 days to yesterday: 50% more than the 7 before"],
  [50, 100, "The 7 days to yesterday: 50% less than the 7 before"],
  [100, 100, "The 7 days to yesterday: as much as the 7 before"],
  [100, 0, "The 7 days to yesterday: ₦700, after nothing in the 7 before"],
  [0, 100, "The 7 days to yesterday: 100% less than the 7 before"],
  [0, 0, undefined],
])("%s a day after %s is compared in words", (each, before, words) => expect(compared(each, before)).toBe(words));

test("today, which is not over, changes nothing in the comparison", () => {
  expect(compared(100, 100, 0)).toBe(compared(100, 100, 1_000_000));
});

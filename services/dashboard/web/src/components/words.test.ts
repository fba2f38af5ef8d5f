import { expect, test } from "vitest";
import { filledIn } from "./filled-in.ts";
import { money } from "./money.tsx";
import { nairaOf } from "./naira-input.tsx";
import { newReference } from "./own-reference.ts";
import { statusWord } from "./status.tsx";
import { after } from "./timeline.tsx";
import { relativeTime } from "./when.tsx";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const ago = (ms: number) => relativeTime(new Date(NOW - ms).toISOString(), NOW);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test("an amount always shows its kobo, and a negative one its sign", () => {
  expect([money(2500), money(2500.7), money(-0.5), money(1_234_567.89)]).toEqual([
    "₦2,500.00",
    "₦2,500.70",
    "−₦0.50",
    "₦1,234,567.89",
  ]);
});

test("a typed amount is sent as a number, and an empty one is not sent as 0", () => {
  expect([nairaOf("2500.09"), nairaOf(2500.09), nairaOf("2500."), nairaOf("")]).toEqual([
    2500.09,
    2500.09,
    2500,
    undefined,
  ]);
});

test("an empty field is not sent; 0 and false are", () => {
  expect(filledIn({ name: "", note: null, amount: 0, is_on: false, title: " " })).toEqual({
    amount: 0,
    is_on: false,
    title: " ",
  });
});

test("a time is relative, and a date once it is older than a week", () => {
  expect([ago(10_000), ago(-10_000), ago(5 * MINUTE), ago(3 * HOUR), ago(DAY), ago(-DAY)]).toEqual([
    "just now",
    "in a moment",
    "5 minutes ago",
    "3 hours ago",
    "yesterday",
    "tomorrow",
  ]);
  expect(relativeTime("2026-11-01T12:00:00Z", NOW)).toBe("1 Nov 2026");
});

test("yesterday and tomorrow are days of Lagos", () => {
  // Monday at noon in Lagos, seen on Wednesday at 10:00, and on Tuesday at 23:59.
  const [monday, wednesday] = ["2026-11-23T11:00:00Z", "2026-11-25T09:00:00Z"];
  expect(relativeTime(monday, Date.parse(wednesday))).toBe("2 days ago");
  expect(relativeTime(monday, Date.parse("2026-11-24T22:59:00Z"))).toBe("yesterday");
  expect(relativeTime(monday, Date.parse("2026-11-24T23:00:00Z"))).toBe("2 days ago");
  expect(relativeTime(wednesday, Date.parse(monday))).toBe("in 2 days");
});

test("a suggested reference has the day of Lagos", () => {
  expect(newReference("transfer", Date.parse("2026-11-21T23:30:00Z"))).toMatch(/^transfer-20261122-\w{8}$/);
});

test("a step's duration uses the fitting unit, and is negative where clocks differ", () => {
  const from = "2026-11-21T12:00:00.000Z";
  const to = (ms: number) => new Date(Date.parse(from) + ms).toISOString();
  expect([18, 2_400, 3 * MINUTE, 2 * HOUR, 3 * DAY, -18].map((ms) => after(from, to(ms)))).toEqual([
    "+18 ms",
    "+2.4 s",
    "+3 min",
    "+2 h",
    "+3 days",
    "−18 ms",
  ]);
});

test("a status unknown to this release is shown by its name", () => {
  expect([statusWord("paid_late"), statusWord("frozen")]).toEqual(["Paid late", "frozen"]);
});

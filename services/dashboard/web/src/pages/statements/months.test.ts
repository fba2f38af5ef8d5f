import { expect, test } from "vitest";
import { monthsUntil } from "./months.ts";

test("a month begins at midnight in Lagos, an hour before it does in UTC", () => {
  expect(monthsUntil("2026-10-31T22:59:59.999Z", 1)).toEqual([{ value: "2026-10", label: "October 2026" }]);
  expect(monthsUntil("2026-12-31T23:00:00.000Z", 3)).toEqual([
    { value: "2027-01", label: "January 2027" },
    { value: "2026-12", label: "December 2026" },
    { value: "2026-11", label: "November 2026" },
  ]);
});

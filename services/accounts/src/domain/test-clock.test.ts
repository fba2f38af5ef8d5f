import { Problem } from "@collect/contracts";
import { expect, test } from "vitest";
import { clockTarget } from "./test-clock.ts";

const real = new Date("2026-11-22T12:00:00.000Z");
const now = new Date("2026-11-23T12:00:00.000Z");
const DAY_S = 86_400;
const target = (given: Parameters<typeof clockTarget>[0]) => {
  try {
    return clockTarget(given, { now, real }).toISOString();
  } catch (error) {
    return error instanceof Problem && error.errors?.map(({ param, code }) => `${param} ${code}`);
  }
};

test("the clock goes forward from where it stands, at most 400 days ahead of real time", () => {
  expect(target({ advance_by: 60 })).toBe("2026-11-23T12:01:00.000Z");
  expect(target({ advance_by: 399 * DAY_S })).toBe("2027-12-27T12:00:00.000Z");
  expect(target({ advance_by: 399 * DAY_S + 1 })).toEqual(["advance_by too_late"]);
  expect(target({ advance_to: "2027-12-27T13:00:00+01:00" })).toBe("2027-12-27T12:00:00.000Z");
  expect(target({ advance_to: "2027-12-27T12:00:00.001Z" })).toEqual(["advance_to too_late"]);
});

test("a repeated time is where the clock already is, and an earlier one is refused", () => {
  expect(target({ advance_to: now.toISOString() })).toBe(now.toISOString());
  expect(target({ advance_to: "2026-11-23T11:59:59.999Z" })).toEqual(["advance_to too_early"]);
});

test("exactly one of the fields is required", () => {
  expect(target({})).toEqual(["advance_by required", "advance_to required"]);
  expect(target({ advance_by: 1, advance_to: now.toISOString() })).toEqual([
    "advance_by not_allowed",
    "advance_to not_allowed",
  ]);
});

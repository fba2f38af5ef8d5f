import { expect, test } from "vitest";
import { durationWords } from "./duration.ts";

test("a duration has the largest unit of which there are at least two", () => {
  expect([0, 1, 59, 119, 120, 5_400, 7_200, 36_000, 172_799, 172_800].map(durationWords)).toEqual([
    "1 second",
    "1 second",
    "59 seconds",
    "119 seconds",
    "2 minutes",
    "90 minutes",
    "2 hours",
    "10 hours",
    "48 hours",
    "2 days",
  ]);
});

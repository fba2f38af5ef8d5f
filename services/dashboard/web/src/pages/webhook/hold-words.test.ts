import { expect, test } from "vitest";
import { durationWords, waitingWords } from "./hold-words.ts";

test("how many wait is singular for one, and says that there may be more at the limit of the count", () => {
  expect([0, 1, 50_000, 100_000].map(waitingWords)).toEqual([
    "No events wait.",
    "1 event waits.",
    "50,000 events wait.",
    "100,000 events or more wait.",
  ]);
});

test("a duration has the largest unit of which there are at least two", () => {
  expect([0, 1, 59, 119, 120, 5_400, 7_200, 36_000].map(durationWords)).toEqual([
    "1 second",
    "1 second",
    "59 seconds",
    "119 seconds",
    "2 minutes",
    "90 minutes",
    "2 hours",
    "10 hours",
  ]);
});

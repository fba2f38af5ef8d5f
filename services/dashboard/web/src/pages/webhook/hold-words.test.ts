import { expect, test } from "vitest";
import { waitingWords } from "./hold-words.ts";

test("how many wait is singular for one, and says that there may be more at the limit of the count", () => {
  expect([0, 1, 50_000, 100_000].map(waitingWords)).toEqual([
    "No events wait.",
    "1 event waits.",
    "50,000 events wait.",
    "100,000 events or more wait.",
  ]);
});

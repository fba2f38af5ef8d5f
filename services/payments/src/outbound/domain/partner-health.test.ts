import { expect, test } from "vitest";
import { stateOfAnswers, stateOfPayouts } from "./partner-health.ts";

const now = "2026-11-23T10:00:00.000+00:00";
const NONE = { good: 0, bad: 0 };

test("a bank is failing once more than half of five answers are bad, and quiet without any", () => {
  expect(stateOfAnswers(NONE)).toBe("quiet");
  expect(stateOfAnswers({ good: 0, bad: 4 })).toBe("ok");
  expect(stateOfAnswers({ good: 2, bad: 3 })).toBe("failing");
  expect(stateOfAnswers({ good: 3, bad: 3 })).toBe("ok");
});

test("a payout that waits is not quiet, and after ten minutes the bank is failing whatever it answers to others", () => {
  const since = (oldestSentAt: string | null, hour = NONE) => stateOfPayouts(hour, { now, oldestSentAt });
  expect(since(null)).toBe("quiet");
  expect(since("2026-11-23T09:50:00.000+00:00")).toBe("ok");
  expect(since("2026-11-23T09:49:59.999+00:00", { good: 100, bad: 0 })).toBe("failing");
  expect(since("2026-11-23T09:59:00.000+00:00", { good: 0, bad: 5 })).toBe("failing");
});

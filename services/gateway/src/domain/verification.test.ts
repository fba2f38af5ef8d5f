import { Problem, VERIFICATION_STATES } from "@collect/contracts";
import { expect, test } from "vitest";
import { afterEnquiry, ENQUIRIES, reasonOf, stateAfter, type VerificationAct } from "./verification.ts";

const outcome = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof Problem ? error.code : error;
  }
};
const ACTS: VerificationAct[] = ["save", "submit", "approve", "return"];
const NOW = new Date("2026-11-21T09:30:00Z");

test("each act in each state has one next state, or is a conflict", () => {
  const table = VERIFICATION_STATES.map((state) => [
    state,
    ...ACTS.map((act) => outcome(() => stateAfter(state, act))),
  ]);
  expect(table).toEqual([
    ["draft", "draft", "submitted", "conflict", "conflict"],
    ["submitted", "conflict", "conflict", "approved", "returned"],
    ["approved", "conflict", "conflict", "conflict", "conflict"],
    ["returned", "returned", "submitted", "conflict", "conflict"],
  ]);
});

test("a return needs a reason, and an approval has none", () => {
  for (const reason of [undefined, "", "  \n "])
    expect(outcome(() => reasonOf({ decision: "returned", reason }))).toBe("validation_failed");
  expect(reasonOf({ decision: "returned", reason: " The name differs. " })).toBe("The name differs.");
  expect(reasonOf({ decision: "approved", reason: "Fine" })).toBeNull();
});

test("submissions are limited per hour, and the count restarts after the hour", () => {
  const first = afterEnquiry({ enquiries: 0, enquiriesSince: null }, NOW);
  expect(first).toEqual({ enquiries: 1, enquiriesSince: NOW });
  const last = { enquiries: ENQUIRIES.max - 1, enquiriesSince: NOW };
  expect(afterEnquiry(last, NOW)).toEqual({ enquiries: ENQUIRIES.max, enquiriesSince: NOW });
  const spent = { enquiries: ENQUIRIES.max, enquiriesSince: NOW };
  const later = (ms: number) => new Date(NOW.getTime() + ms);
  expect(outcome(() => afterEnquiry(spent, later(ENQUIRIES.windowMs - 1)))).toBe("rate_limited");
  const next = later(ENQUIRIES.windowMs);
  expect(afterEnquiry(spent, next)).toEqual({ enquiries: 1, enquiriesSince: next });
});

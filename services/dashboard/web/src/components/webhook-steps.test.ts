import { expect, test } from "vitest";
import { anAttempt, anEvent } from "../../test/examples.ts";
import { type Hold, webhookSteps } from "./webhook-steps.ts";

const whatOf = (events: Parameters<typeof webhookSteps>[0], hold: Hold = null) =>
  webhookSteps(events, hold).map(({ what }) => what);
const delivered = { number: 5, status: "delivered", attempts: 1, last_status: 200, next_attempt_at: null } as const;

test("an unavailable event log is not mistaken for a webhook that was never sent", () => {
  expect(webhookSteps(null, null)[0]?.detail).toContain("No events are lost");
  expect(webhookSteps([], null)[0]?.detail).toContain("Not recorded yet");
});

test("a delivery that took two attempts shows both, the failure with its reason", () => {
  const tried = [anAttempt({ status: 500 }), anAttempt({ attempt: 2 })];
  const steps = webhookSteps([anEvent({ delivery: delivered, tried })], null);
  expect(steps.map(({ what, detail, isBad = false }) => [what, detail, isBad])).toEqual([
    ["Event 12 recorded", "collection.success", false],
    ["Attempt 1 failed", "500 after 80 ms", true],
    ["Delivered on attempt 2", "200 after 80 ms", false],
  ]);
});

test("an attempt without a response says what went wrong, or at least how long it took", () => {
  const tried = [anAttempt({ status: null, error: "The address does not exist." }), anAttempt({ status: null })];
  expect(
    webhookSteps([anEvent({ tried })], null)
      .slice(1, 3)
      .map(({ detail }) => detail),
  ).toEqual(["The address does not exist.", "No response after 80 ms"]);
});

test("the next step is shown: sending, retrying, failed, or never sent", () => {
  const pending = { ...delivered, status: "pending" } as const;
  expect(whatOf([anEvent({ delivery: pending })]).at(-1)).toBe("Sending to your server");
  expect(whatOf([anEvent({ delivery: pending, tried: [anAttempt({ status: 500 })] })]).at(-1)).toBe(
    "Next attempt scheduled",
  );
  expect(whatOf([anEvent({ delivery: { ...delivered, status: "exhausted" } })]).at(-1)).toBe("Failed");
  expect(whatOf([anEvent({ delivery: null })]).at(-1)).toBe("Not sent");
});

const AT = "2026-11-21T10:00:00.000+00:00";

test("what a paused or failing webhook holds says so, tried before or not; what is scheduled or being released does not", () => {
  const hold = { since: AT, waiting: 1, next_attempt_at: null, seconds_left: null };
  const pending = { ...delivered, status: "pending" } as const;
  for (const tried of [[], [anAttempt({ status: 500 })]])
    for (const state of ["paused", "held"] as const)
      expect(whatOf([anEvent({ delivery: pending, tried })], { ...hold, state }).at(-1)).toBe("Held");
  const scheduled = { ...pending, next_attempt_at: AT };
  expect(whatOf([anEvent({ delivery: scheduled })], { ...hold, state: "held" }).at(-1)).toBe("Sending to your server");
  expect(whatOf([anEvent({ delivery: pending })], { ...hold, state: "releasing" }).at(-1)).toBe(
    "Sending to your server",
  );
  expect(whatOf([anEvent({ delivery: delivered })], { ...hold, state: "paused" })).toEqual(["Event 12 recorded"]);
});

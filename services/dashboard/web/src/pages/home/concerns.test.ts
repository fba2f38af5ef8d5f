import { expect, test } from "vitest";
import { concernsOf } from "./concerns.ts";

const quiet = { quarantined: 0, unfinished: 0 };
const healthy = { url: "https://shop.example/hook", failing: 0, exhausted: 0 };
const approved = { state: "approved", reason: null } as const;
const known = { exceptions: quiet, health: healthy, verification: approved, isNew: false, mode: "live" } as const;
const whatOf = (changed: Partial<Parameters<typeof concernsOf>[0]>) =>
  concernsOf({ ...known, ...changed }).map(({ what }) => what);

test("when all is well nothing needs attention, and neither does a figure that has not loaded", () => {
  expect(concernsOf(known)).toEqual([]);
  expect(concernsOf({ isNew: false, mode: "live" })).toEqual([]);
});

test("a single quarantined transfer is singular; a count at its limit says that there may be more", () => {
  expect(whatOf({ exceptions: { quarantined: 1, unfinished: 0 } })).toEqual(["1 incoming transfer on hold."]);
  expect(whatOf({ exceptions: { quarantined: 100, unfinished: 3 } })).toEqual([
    "100 or more incoming transfers on hold.",
    "3 payments delayed by more than a minute.",
  ]);
});

test("events being retried and events that failed for good each link to their deliveries", () => {
  const concerns = concernsOf({ ...known, health: { ...healthy, failing: 2, exhausted: 1_000 } });
  expect(concerns.map(({ what, path }) => [what, path])).toEqual([
    ["Your server did not accept 2 events.", "developers/deliveries?status=failing"],
    ["We gave up on 1,000 or more events after 72 hours.", "developers/deliveries?status=exhausted"],
  ]);
});

test("a new merchant is not warned about a webhook and a verification that come later", () => {
  const begun = { health: { ...healthy, url: null }, verification: { state: "draft", reason: null } } as const;
  expect(whatOf({ ...begun, isNew: true, mode: "test" })).toEqual([]);
  expect(whatOf({ ...begun, isNew: false, mode: "test" })).toEqual([
    "No webhook URL is set.",
    "Your business is not verified.",
  ]);
  expect(whatOf({ ...begun, isNew: true, mode: "live" })).toEqual(["Your business is not verified."]);
});

test("a verification that needs changes says why, even to a new merchant", () => {
  const verification = { state: "returned", reason: "The RC number is another company's." } as const;
  const [concern] = concernsOf({ ...known, verification, isNew: true, mode: "test" });
  expect([concern?.what, concern?.meaning]).toEqual([
    "Your business verification needs changes.",
    "Reason: The RC number is another company's.",
  ]);
});

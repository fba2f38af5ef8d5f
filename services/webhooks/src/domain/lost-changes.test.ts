import { expect, test } from "vitest";
import { createLostChanges } from "./lost-changes.ts";

const at = (minute: number) => `2026-11-28T09:${String(minute).padStart(2, "0")}:00.000+00:00`;
const act = (minute: number, action: string, { id = "mer_1", mode = "live" as "live" | "test" | null } = {}) => ({
  ...{ merchant_id: id, mode, action: `webhook.${action}`, at: at(minute) },
});
const lostOf = (...acts: ReturnType<typeof act>[]) => {
  const changes = createLostChanges();
  for (const each of acts) changes.add([each]);
  return changes.all();
};
const ONE = { merchantId: "mer_1", mode: "live" };

test.each(["set", "challenged", "secret_staged", "secret_activated", "secret_cancelled", "of_a_later_release"])(
  "webhook.%s is a change that a restore loses",
  (action) => expect(lostOf(act(1, action))).toEqual([{ ...ONE, at: at(1) }]),
);

test.each(["secret_revealed", "resumed"])(
  "webhook.%s changes neither where events go nor how they are signed",
  (action) => expect(lostOf(act(1, action))).toEqual([]),
);

test("the last change of an endpoint counts, and endpoints of other merchants and modes are apart", () => {
  const acts = [
    act(1, "set"),
    act(2, "set", { mode: "test" }),
    act(3, "set", { id: "mer_2" }),
    act(4, "secret_staged"),
  ];
  expect(lostOf(...acts)).toEqual([
    { ...ONE, at: at(4) },
    { ...ONE, mode: "test", at: at(2) },
    { ...ONE, merchantId: "mer_2", at: at(3) },
  ]);
});

test("a pause is lost unless it has ended, and resuming takes no other change back", () => {
  expect(lostOf(act(1, "paused"))).toEqual([{ ...ONE, at: at(1) }]);
  expect(lostOf(act(1, "paused"), act(2, "resumed"))).toEqual([]);
  expect(lostOf(act(1, "set"), act(2, "paused"), act(3, "resumed"))).toEqual([{ ...ONE, at: at(1) }]);
});

test("an act that concerned both modes is a change of both endpoints", () => {
  expect(lostOf(act(1, "set", { mode: null }))).toHaveLength(2);
});

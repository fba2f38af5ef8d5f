import { expect, test } from "vitest";
import { assertNothingInProgress, erasureId } from "./erasure.ts";

const NOTHING = {
  ...{ accounts: 1, transfers: 3, sessions: 2, events: 3, responses: 3 },
  ...{ open_sessions: 0, pending_deliveries: 0, unfinished_transfers: 0 },
};

test("an erasure is identified by merchant, mode, kind and reference", () => {
  const person = { merchant: { id: "mer_1", mode: "live" }, kind: "customer", reference: "cust_1" } as const;
  const others = [
    { ...person, merchant: { id: "mer_2", mode: "live" } },
    { ...person, merchant: { id: "mer_1", mode: "test" } },
    { ...person, kind: "payer" },
    { ...person, reference: "cust_2" },
  ] as const;
  expect(erasureId({ ...person })).toBe(erasureId(person));
  expect(new Set([person, ...others].map(erasureId)).size).toBe(5);
});

test("what is over can be erased", () => {
  expect(() => assertNothingInProgress(NOTHING)).not.toThrow();
});

test.each([
  ["open_sessions", "1 payments that are still open"],
  ["pending_deliveries", "1 events that are still being delivered"],
  ["unfinished_transfers", "1 transfers that are being credited"],
] as const)("%s have to end first, and the refusal says so", (field, text) => {
  expect(() => assertNothingInProgress({ ...NOTHING, [field]: 1 })).toThrow(
    expect.objectContaining({ code: "still_in_progress", detail: expect.stringContaining(text) }),
  );
});

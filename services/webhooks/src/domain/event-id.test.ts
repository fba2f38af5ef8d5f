import { expect, test } from "vitest";
import { eventId, sequenceOf } from "./event-id.ts";

const acme = { id: "mer_1", mode: "live" } as const;

test("an id is unique over merchants and modes, and always the same for one event", () => {
  const owners = [acme, { ...acme, mode: "test" as const }, { ...acme, id: "mer_2" }];
  const ids = owners.flatMap((owner) => [1n, 2n, 9_007_199_254_740_993n].map((sequence) => eventId(owner, sequence)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^evt_[1-9A-HJ-NP-Za-km-z]{22}$/)));
  expect(eventId(acme, 7n)).toBe("evt_2T7SXYE1JLDayqsdD4dUDt");
});

test("an id leads its owner to the event, and no other merchant", () => {
  for (const sequence of [0n, 1n, 255n, 2n ** 63n - 1n]) {
    const id = eventId(acme, sequence);
    expect(sequenceOf(acme, id)).toBe(sequence);
    expect(sequenceOf({ ...acme, mode: "test" }, id)).toBeUndefined();
    expect(sequenceOf({ ...acme, id: "mer_2" }, id)).toBeUndefined();
  }
});

test("text that is no id is no event", () => {
  const id = eventId(acme, 7n);
  for (const text of [
    "",
    "evt_",
    "evt_live_7",
    `${id}1`,
    id.slice(0, -1),
    id.replace("evt", "pay"),
    `evt_${"z".repeat(22)}`,
  ])
    expect(sequenceOf(acme, text)).toBeUndefined();
  expect(sequenceOf(acme, eventId(acme, 2n ** 63n))).toBeUndefined();
});

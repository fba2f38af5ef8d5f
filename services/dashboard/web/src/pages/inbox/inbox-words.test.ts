import { expect, test } from "vitest";
import { factWords, type Item, KINDS, openCount, pathOf, sumWords } from "./inbox-words.ts";

const item = (given: Partial<Item>): Item => ({
  ...{
    kind: "unmatched",
    reference: "ref_1",
    amount: null,
    amount_received: null,
    name: null,
    reason: null,
    failure_code: null,
  },
  ...{ count: null, at: null, owner: null, done: null, ...given },
});

test("a session shows what is missing or too much, to the kobo, of what was asked for", () => {
  const sum = (kind: "underpaid" | "overpaid", amount_received: number) =>
    sumWords(item({ kind, amount: 2500.73, amount_received }));
  expect(sum("underpaid", 2250.66)).toEqual({ sum: 250.07, of: "missing of ₦2,500.73" });
  expect(sum("overpaid", 2750.8)).toEqual({ sum: 250.07, of: "more than ₦2,500.73" });
  const takenBack = item({ kind: "taken_back", amount: 2500.73, amount_received: 2000.66 });
  expect(sumWords(takenBack)).toEqual({ sum: 500.07, of: "taken back of ₦2,500.73" });
  expect(sumWords(item({ amount: 100 }))).toEqual({ sum: 100, of: "from" });
  expect(sumWords(item({ kind: "failed", amount: 100 }))).toEqual({ sum: 100, of: "to" });
  expect(sumWords(item({ kind: "webhook" }))).toBeUndefined();
});

test("a webhook says how many events wait, singular for one, and leads to where they are dealt with", () => {
  const of = (reference: string, count: number) => item({ kind: "webhook", reference, count });
  expect(factWords(of("held", 1))).toBe("Your server is failing, so events are held. 1 event waits.");
  expect(factWords(of("failing", 1))).toBe("1 event is being retried, because your server did not accept them.");
  expect(factWords(of("exhausted", 1_000))).toMatch(/^1,000 events or more are no longer retried/);
  expect(factWords(of("unchecked", 2))).toMatch(/^Deliveries are paused after a restore .* 2 events wait\.$/);
  expect(["held", "paused", "unchecked", "failing", "exhausted"].map((state) => pathOf(of(state, 1)))).toEqual([
    "developers/webhook",
    "developers/webhook",
    "developers/webhook",
    "developers/deliveries?status=failing",
    "developers/deliveries?status=exhausted",
  ]);
});

test("every kind leads to a page, and the count says that there may be more", () => {
  for (const kind of Object.keys(KINDS) as Item["kind"][])
    expect(pathOf({ kind, reference: "a/b" })).not.toMatch(/a\/b/);
  const kinds = [
    { kind: "failed" as const, count: 2, has_more: false },
    { kind: "underpaid" as const, count: null, has_more: false },
  ];
  expect(openCount(kinds)).toBe("2");
  expect(openCount([...kinds, { kind: "unmatched", count: 50, has_more: true }])).toBe("52+");
  expect(openCount(kinds.slice(1))).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { type End, endToBook, endToTell, isSameOrder, review, type Transfer, verdictOn } from "./transfer.ts";

const heard = (status: "pending" | End) => ({ status, failureCode: "code", failureReason: "reason" });
const sent = { sentForMs: 1, unknownAfterMs: 600_000 };

describe("what the bank says of a transfer that was sent", () => {
  test("is the verdict, with the bank's reason for a failure or a reversal", () => {
    expect(verdictOn(heard("success"), sent)).toEqual({ end: "success", failureCode: null, failureReason: null });
    expect(verdictOn(heard("failed"), sent)).toEqual({ end: "failed", failureCode: "code", failureReason: "reason" });
    expect(verdictOn(heard("reversed"), sent)).toMatchObject({ end: "reversed", failureCode: "code" });
  });

  test("is none while it is pending, however long ago it was sent", () =>
    expect(verdictOn(heard("pending"), { ...sent, sentForMs: 1e12 })).toBeUndefined());

  test("is none while it has not heard of it for no longer than it may take, and then a failure", () => {
    expect(verdictOn(undefined, { ...sent, sentForMs: 600_000 })).toBeUndefined();
    expect(verdictOn(undefined, { ...sent, sentForMs: 600_001 })).toMatchObject({
      end: "failed",
      failureCode: "not_received",
    });
  });
});

describe("the ledger books", () => {
  test.each<[Transfer["status"], End, End]>([
    ["pending", "success", "success"],
    ["pending", "failed", "failed"],
    ["pending", "reversed", "success"],
    ["success", "reversed", "reversed"],
  ])("of %s with the verdict %s: %s", (status, verdict, end) => expect(endToBook({ status, verdict })).toBe(end));

  test.each<[Transfer["status"], End | null]>([
    ["pending", null],
    ["success", "success"],
    ["reversed", "reversed"],
  ])("nothing of %s with the verdict %s", (status, verdict) =>
    expect(() => endToBook({ status, verdict })).toThrow("nothing to book"),
  );
});

test.each<[Transfer["status"], End[], End | undefined]>([
  ["pending", [], undefined],
  ["success", [], "success"],
  ["success", ["success"], undefined],
  ["failed", [], "failed"],
  ["reversed", [], "success"],
  ["reversed", ["success"], "reversed"],
  ["reversed", ["reversed"], "success"],
  ["reversed", ["reversed", "success"], undefined],
])("of %s, with %j told, the merchant is told %s next", (status, told, end) =>
  expect(endToTell({ status, told })).toBe(end),
);

test.each<["success" | "failed", Parameters<typeof review>[1], string]>([
  ["success", heard("success"), "stands"],
  ["success", heard("reversed"), "reversed"],
  ["success", heard("failed"), "contradicted"],
  ["success", heard("pending"), "contradicted"],
  ["success", undefined, "contradicted"],
  ["failed", heard("failed"), "stands"],
  ["failed", heard("pending"), "stands"],
  ["failed", undefined, "stands"],
  ["failed", heard("success"), "contradicted"],
  ["failed", heard("reversed"), "contradicted"],
])("a %s of which the bank says %j later: %s", (status, answer, expected) =>
  expect(review(status, answer)).toBe(expected),
);

test("an order is the same in amount, bank, account and narration, or another", () => {
  const known = { amount: 1n, bankCode: "011", accountNumber: "0000014579", narration: null };
  const order = { amount: 1n, bank_code: "011", account_number: "0000014579" };
  expect(isSameOrder(known, order)).toBe(true);
  for (const change of [{ amount: 2n }, { bank_code: "058" }, { account_number: "0000000220" }, { narration: "x" }])
    expect(isSameOrder(known, { ...order, ...change })).toBe(false);
});

import type { Metadata } from "@collect/contracts";
import { describe, expect, test } from "vitest";
import { type End, endToBook, endToNotify, isSameOrder, review, type Transfer, verdictOn } from "./transfer.ts";

const bankSays = (status: "pending" | End) => ({ status, failureCode: "code", failureReason: "reason" });
const sent = { unknownForMs: 0, unknownAfterMs: 600_000 };

describe("the bank's response about a transfer that was sent", () => {
  test("is the verdict, with the bank's reason for a failure or a reversal", () => {
    expect(verdictOn(bankSays("success"), sent)).toEqual({ end: "success", failureCode: null, failureReason: null });
    expect(verdictOn(bankSays("failed"), sent)).toEqual({
      end: "failed",
      failureCode: "code",
      failureReason: "reason",
    });
    expect(verdictOn(bankSays("reversed"), sent)).toMatchObject({ end: "reversed", failureCode: "code" });
  });

  test("gives no verdict while the transfer is pending, however long it was not known before", () =>
    expect(verdictOn(bankSays("pending"), { ...sent, unknownForMs: 1e12 })).toBeUndefined());

  test("gives no verdict on a failure without a definite reason, however long it was not known before: an operator ends it", () =>
    expect(verdictOn({ ...bankSays("pending"), isUncertain: true }, { ...sent, unknownForMs: 1e12 })).toBeUndefined());

  test("gives no verdict while the bank may still receive the transfer, and then a failure", () => {
    expect(verdictOn(undefined, { ...sent, unknownForMs: 600_000 })).toBeUndefined();
    expect(verdictOn(undefined, { ...sent, unknownForMs: 600_001 })).toMatchObject({
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
])("of a %s transfer, with %j notified, the merchant is notified of %s next", (status, notified, end) =>
  expect(endToNotify({ status, notified })).toBe(end),
);

const resolution = {
  bank_reference: "FT26327",
  reason: "a mail of the bank",
  by: { kind: "operator", name: "ada" },
} as const;

test.each<["success" | "failed", Parameters<typeof review>[1], byBank: string, byOperator?: string]>([
  ["success", bankSays("success"), "stands"],
  ["success", bankSays("reversed"), "reversed"],
  ["success", bankSays("failed"), "contradicted"],
  ["success", bankSays("pending"), "contradicted", "stands"],
  ["success", undefined, "contradicted", "stands"],
  ["failed", bankSays("failed"), "stands"],
  ["failed", bankSays("pending"), "stands"],
  ["failed", undefined, "stands"],
  ["failed", bankSays("success"), "contradicted"],
  ["failed", bankSays("reversed"), "contradicted"],
])("a %s transfer that the bank later reports as %j: %s", (status, later, byBank, byOperator = byBank) => {
  expect(review({ status, resolution: null }, later)).toBe(byBank);
  expect(review({ status, resolution }, later)).toBe(byOperator);
});

test("an order is the same only if amount, bank, account, narration and metadata are the same", () => {
  const known = {
    amount: 1n,
    bankCode: "011",
    accountNumber: "0000014579",
    narration: null,
    metadata: { a: "1", b: "2" },
  };
  const order = { amount: 1n, bank_code: "011", account_number: "0000014579", metadata: { b: "2", a: "1" } };
  expect(isSameOrder(known, order)).toBe(true);
  for (const change of [{ amount: 2n }, { bank_code: "058" }, { account_number: "0000000220" }, { narration: "x" }])
    expect(isSameOrder(known, { ...order, ...change })).toBe(false);
  // An empty one is none, also where an earlier release stored it.
  for (const narration of [null, ""])
    expect(isSameOrder({ ...known, narration }, { ...order, narration: "" })).toBe(true);
  expect(isSameOrder({ ...known, narration: "" }, order)).toBe(true);
  const others: (Metadata | undefined)[] = [undefined, {}, { a: "1" }, { a: "1", b: "3" }, { a: "1", b: "2", c: "3" }];
  for (const metadata of others) expect(isSameOrder(known, { ...order, metadata })).toBe(false);
  // None, and none of an earlier release.
  for (const stored of [{}, null])
    for (const metadata of [undefined, {}])
      expect(isSameOrder({ ...known, metadata: stored }, { ...order, metadata })).toBe(true);
});

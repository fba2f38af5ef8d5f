import { expect, test } from "vitest";
import { type AccountOwner, accountKeys } from "./account-keys.ts";

const KEY = "a key that never changes, of 32 bytes";
const merchant = { id: "mer_1", mode: "test" as const };

test("an owner always has the same account, and every other owner or key has another", () => {
  const owner: AccountOwner = { merchant, customerReference: "cust_1" };
  const keys = accountKeys(KEY, owner, 0);
  expect(accountKeys(KEY, { merchant: { ...merchant }, customerReference: "cust_1" }, 0)).toEqual(keys);
  const others = [
    accountKeys(KEY, { merchant, customerReference: "cust_2" }, 0),
    accountKeys(KEY, { merchant, position: 1 }, 0),
    accountKeys(KEY, { merchant: { ...merchant, id: "mer_2" }, customerReference: "cust_1" }, 0),
    accountKeys(KEY, { merchant: { ...merchant, mode: "live" }, customerReference: "cust_1" }, 0),
    accountKeys("another key that never changes, too", owner, 0),
  ];
  expect(new Set([keys, ...others].map(({ requestId }) => requestId)).size).toBe(6);
  expect(new Set([keys, ...others].map(({ testSerial }) => testSerial)).size).toBe(6);
});

test("a taken serial is followed by another, with the same request id", () => {
  const owner: AccountOwner = { merchant, position: 3 };
  const [first, second] = [accountKeys(KEY, owner, 0), accountKeys(KEY, owner, 1)];
  expect(second.requestId).toBe(first.requestId);
  expect(second.testSerial).not.toBe(first.testSerial);
  expect(first.testSerial).toBeLessThan(1_000_000_000n);
});

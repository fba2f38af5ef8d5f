import { expect, test } from "vitest";
import { transferReference } from "./reference.ts";

test("an order always has the same transfer id, and another merchant, mode, reference, attempt or key gives another", () => {
  const key = "a key that never changes, of 32 bytes";
  const merchant = { id: "mer_1", mode: "live" as const };
  const order = { merchant, merchantReference: "payout-1", tries: 0 };
  const id = transferReference(key, order);
  expect(id).toMatch(/^trf_[1-9A-HJ-NP-Za-km-z]{22}$/);
  expect(transferReference(key, { ...order })).toBe(id);
  const others = [
    transferReference(key, { ...order, tries: 1 }),
    transferReference(key, { ...order, merchantReference: "payout-2" }),
    transferReference(key, { ...order, merchant: { ...merchant, id: "mer_2" } }),
    transferReference(key, { ...order, merchant: { ...merchant, mode: "test" } }),
    transferReference("another key that never changes, too", order),
  ];
  expect(new Set([id, ...others]).size).toBe(6);
});

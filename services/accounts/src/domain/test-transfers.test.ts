import { expect, test } from "vitest";
import { faultsOf } from "./test-transfers.ts";

const now = new Date("2026-11-21T09:30:00.000Z");
const transfer = (given: { customer_reference?: string; paid_at?: string; amount?: bigint }) => ({
  id: "t1",
  customer_reference: "cust_1",
  amount: 100n,
  payer: { name: "Chidi Eze", account_number: "0123456789", bank_name: "First Bank" },
  paid_at: "2026-11-01T00:00:00Z",
  ...given,
});
const faults = (given: Parameters<typeof transfer>[0]) =>
  faultsOf([transfer({}), transfer(given)], { customers: new Set(["cust_1"]), now }).map(({ param, code }) => [
    param,
    code,
  ]);

test.each([
  ["now", "2026-11-21T10:30:00.000+01:00", []],
  ["a millisecond ahead", "2026-11-21T09:30:00.001Z", [["transfers.1.paid_at", "too_late"]]],
  ["400 days ago", "2025-10-17T09:30:00.000Z", []],
  ["a millisecond more than 400 days ago", "2025-10-17T09:29:59.999Z", [["transfers.1.paid_at", "too_early"]]],
])("a transfer can have been paid from 400 days ago until now: %s", (_, paid_at, expected) => {
  expect(faults({ paid_at })).toEqual(expected);
});

test("all errors of each transfer are reported", () => {
  expect(faults({ customer_reference: "cust_2", paid_at: "2027-01-01T00:00:00Z" })).toEqual([
    ["transfers.1.customer_reference", "unknown"],
    ["transfers.1.paid_at", "too_late"],
  ]);
});

test("a transfer is at most the limit of one payment", () => {
  expect(faults({ amount: 1_000_000_000_000n })).toEqual([]);
  expect(faults({ amount: 1_000_000_000_001n })).toEqual([["transfers.1.amount", "too_big"]]);
});

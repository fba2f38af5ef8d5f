import { Problem } from "@collect/contracts";
import { expect, test } from "vitest";
import { parseTarget } from "./sandbox.ts";

const refused = (asking: Parameters<typeof parseTarget>[0]) => {
  try {
    return parseTarget(asking);
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return error instanceof Problem && error.errors?.map(({ param, code }) => `${param} ${code}`);
  }
};

test("a payment is for an amount or for a session", () => {
  expect(parseTarget({ outcome: "paid", amount: 5n })).toEqual({ amount: 5n });
  expect(parseTarget({ outcome: "paid", payment_reference: "pay_1", amount_sent: 4n })).toEqual({ reference: "pay_1" });
  expect(parseTarget({ outcome: "expired", payment_reference: "pay_1" })).toEqual({ reference: "pay_1" });
});

test("neither, both, and an amount sent with expired are refused with the names of the fields", () => {
  expect(refused({ outcome: "paid" })).toEqual(["amount required", "payment_reference required"]);
  expect(refused({ outcome: "paid", amount: 5n, payment_reference: "pay_1" })).toEqual([
    "amount not_allowed",
    "payment_reference not_allowed",
  ]);
  expect(refused({ outcome: "expired", amount: 5n, amount_sent: 5n })).toEqual(["amount_sent not_allowed"]);
});

import { expect, test } from "vitest";
import { statusWord } from "../../components/status.tsx";
import { customerOption, sessionOption } from "./attach-words.ts";

type Session = Parameters<typeof sessionOption>[0];
const session = (given: Partial<Session> = {}): Session => ({
  ...{ reference: "pay_1", merchant_reference: "order-1", name: "Ada Obi", amount: 2_500, amount_received: 0 },
  ...{ status: "pending", created_at: "2026-11-21T10:00:00.000+00:00" },
  after: { status: "underpaid", missing: 200, excess: 0 },
  ...given,
});
const outcome = (given: Partial<Session>) => sessionOption(session(given), statusWord).outcome;

test("a session says what it asked for, what it has, and what becomes of it", () => {
  expect(sessionOption(session(), statusWord)).toMatchObject({
    ...{ name: "Ada Obi", label: "order-1", detail: "₦2,500.00 · Pending" },
    ...{ outcome: "becomes underpaid: ₦200.00 missing", fields: { payment_reference: "pay_1" } },
  });
  expect(sessionOption(session({ amount_received: 100, merchant_reference: null }), statusWord)).toMatchObject({
    ...{ label: "pay_1", detail: "₦100.00 of ₦2,500.00 · Pending" },
  });
  expect(outcome({ status: "underpaid" })).toBe("stays underpaid: ₦200.00 missing");
  const after = (status: "paid" | "paid_late" | "overpaid", excess = 0) => ({ status, missing: 0, excess });
  expect(outcome({ after: after("paid") })).toBe("becomes paid");
  expect(outcome({ after: after("paid_late") })).toBe("becomes paid late");
  expect(outcome({ after: after("overpaid", 0.5) })).toBe("becomes overpaid: ₦0.50 more than it asked for");
});

test("a session that can't take more money can't be chosen, and says so", () => {
  const paid = sessionOption(session({ status: "paid", after: null }), statusWord);
  expect([paid.fields, paid.outcome]).toEqual([null, "can't take more money"]);
});

test("a customer is told apart from a session, and says if the account is retired", () => {
  const customer = { customer_reference: "cust_1", customer_name: "Ada Obi", account_number: "0123456789" };
  expect(customerOption({ ...customer, status: "active" })).toMatchObject({
    ...{ id: "customer cust_1", detail: "Customer", fields: { customer_reference: "cust_1" }, outcome: null },
  });
  expect(customerOption({ ...customer, status: "retired" }).detail).toBe("Customer, account retired");
});

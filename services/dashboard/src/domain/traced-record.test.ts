import { expect, test } from "vitest";
import { recordOf } from "./traced-record.ts";

const of = (path: string, made: string | null = null) => {
  const record = recordOf({ path: `/v1${path}`, made });
  return record && `${record.kind}/${record.reference}`;
};

test("a call is about what its response names, whose prefix says what it is", () => {
  expect(of("/payments", "pay_1")).toBe("sessions/pay_1");
  expect(of("/customer_accounts/cust_1/simulate_payment", "col_1")).toBe("collections/col_1");
  expect(of("/sandbox/pay", "pay_1")).toBe("sessions/pay_1");
  expect(of("/sandbox/settle", "stl_1")).toBe("settlements/stl_1");
  expect(of("/transfers/rent", "trf_1")).toBe("transfers/trf_1");
});

test("a reference of the merchant's own is of the kind of the path", () => {
  expect(of("/customer_accounts", "cust:7")).toBe("customers/cust:7");
});

test("a refused call is about what its path names, and one that names nothing is about nothing", () => {
  expect(of("/customer_accounts/cust_1/simulate_payment")).toBe("customers/cust_1");
  expect(of("/transfers/trf_9")).toBe("transfers/trf_9");
  expect(of("/customer_accounts/crypto")).toBe("customers/crypto");
  for (const path of [
    "/payments",
    "/payments/crypto",
    "/transfers/resolve",
    "/balance",
    "/sandbox/pay",
    "/events/evt_1",
    "",
    "/customer_accounts/%2e%2e",
  ])
    expect(of(path)).toBeNull();
});
